import { useDisclosure } from '@mantine/hooks';
import { Group, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { AddButton } from '../../ui/buttons.tsx';
import { useOpenedItem } from '../../ui/opened-item.ts';
import { Card, EmptyCard, Loaded, Page } from '../../ui/page.tsx';
import { AchievementList } from './achievement-list.tsx';
import type { Achievement } from './achievement-list.tsx';
import { AchievementIcon } from './achievement-icon.tsx';
import { DialogForm, FormDialog } from '../../ui/forms/dialogs.tsx';

export function Component() {
  const { environment, inEnvironment, can } = useGame();
  const catalogue = useRead('GET /v1/games/{game_id}/achievements', inEnvironment());
  const [creating, dialog] = useDisclosure();
  const item = useOpenedItem();
  const edited =
    can('developer') && catalogue.data?.achievements.find(({ key }) => key === item.opened);
  const edit = ({ key }: Achievement) => item.open(key);
  const createButton = can('developer') && (
    <AddButton onClick={dialog.open}>New achievement</AddButton>
  );

  return (
    <Page
      title="Achievements"
      lead={`Both environments share these achievements. The percentages count players in ${environment}.`}
      actions={createButton}
    >
      <Loaded query={catalogue}>
        {({ achievements, player_count }) => {
          const current = achievements.filter(({ archived }) => !archived);
          const archived = achievements.filter((each) => each.archived);
          const points = current.reduce((sum, each) => sum + each.points, 0);
          return achievements.length === 0 ? (
            <EmptyCard title="No achievements yet" action={createButton}>
              Create one for something worth earning. Your game unlocks it by its key.
            </EmptyCard>
          ) : (
            <>
              <Card
                flush
                title={`${countOf(current.length, 'achievement')}, ${formatCount(points)} points, ${countOf(player_count, 'player')}`}
              >
                <AchievementList achievements={current} player_count={player_count} onEdit={edit} />
              </Card>
              {archived.length > 0 && (
                <div style={{ marginTop: 16 }}>
                  <Card flush title="Archived">
                    <AchievementList
                      achievements={archived}
                      player_count={player_count}
                      onEdit={edit}
                    />
                  </Card>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      <FormDialog opened={creating} onClose={dialog.close} title="New achievement">
        <AchievementForm edited={null} />
      </FormDialog>
      <FormDialog opened={Boolean(edited)} onClose={item.close} title="Edit achievement">
        {edited && <AchievementForm key={edited.key} edited={edited} />}
      </FormDialog>
    </Page>
  );
}

/** Makes a key from a name, such as `first_blood` from `First Blood`. */
const keyFrom = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');

const WRITERS: { value: WritesFrom; label: string }[] = [
  { value: 'anyone', label: 'Any call of the game' },
  { value: 'verified', label: 'Players who have logged in, and server keys' },
  { value: 'server', label: 'Server keys alone' },
];

/** @param edited Null for a new achievement. */
function AchievementForm({ edited }: { edited: Achievement | null }) {
  const { game_id } = useGame();
  const create = useChange('POST /v1/games/{game_id}/achievements');
  const update = useChange('PATCH /v1/games/{game_id}/achievements/{key}');
  const form = useForm({
    initialValues: {
      name: edited?.name ?? '',
      key: edited?.key ?? '',
      description: edited?.description ?? '',
      icon_url: edited?.icon_url ?? '',
      points: edited?.points ?? 10,
      hidden: edited?.hidden ?? false,
      writes_from: edited?.writes_from ?? ('anyone' as WritesFrom),
    },
  });

  const submit = ({ key, ...fields }: typeof form.values): Promise<unknown> =>
    edited
      ? update.mutateAsync({ params: { game_id, key }, body: fields })
      : create.mutateAsync({ params: { game_id }, body: { key, ...fields } });

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={edited ? 'Save' : 'Create achievement'}
      gap="sm"
    >
      <TextInput
        label="Name"
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const name = event.currentTarget.value;
          const { key, name: before } = form.getValues();
          form.setFieldValue('name', name);
          if (!edited && key === keyFrom(before)) form.setFieldValue('key', keyFrom(name));
        }}
      />
      <TextInput
        label="Key"
        description="Your game unlocks it by this key. The key cannot be changed later."
        disabled={edited !== null}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('key')}
      />
      <Textarea
        label="Description"
        description="How to earn it"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          label="Icon address"
          placeholder="https://…"
          style={{ flex: 1 }}
          {...form.getInputProps('icon_url')}
        />
        <AchievementIcon url={/^https?:/.test(form.values.icon_url) ? form.values.icon_url : ''} />
      </Group>
      <NumberInput label="Points" w={140} allowDecimal={false} {...form.getInputProps('points')} />
      <Select label="Unlocked by" data={WRITERS} {...form.getInputProps('writes_from')} />
      <Switch
        label="Hidden: players see ??? until they unlock it"
        {...form.getInputProps('hidden', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
