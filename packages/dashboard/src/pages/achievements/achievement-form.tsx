import { Group, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { keyFrom } from '../../ui/forms/key-from-name.ts';
import { TranslationFields } from '../../ui/forms/translation-fields.tsx';
import {
  findTranslationProblem,
  readTranslations,
  typeTranslations,
} from '../../ui/forms/translations.ts';
import { WRITERS } from '../../ui/forms/writers.ts';
import { AchievementIcon } from './achievement-icon.tsx';
import type { Achievement } from './achievement-list.tsx';

/** @param edited Null for a new achievement. */
export function AchievementForm({ edited }: { edited: Achievement | null }) {
  const { game_id } = useGame();
  const create = useChange('POST /v1/games/{game_id}/achievements');
  const update = useChange('PATCH /v1/games/{game_id}/achievements/{key}');
  const form = useForm({
    initialValues: {
      name: edited?.name ?? '',
      key: edited?.key ?? '',
      description: edited?.description ?? '',
      translations: typeTranslations(edited?.translations ?? {}, ['name', 'description']),
      icon_url: edited?.icon_url ?? '',
      points: edited?.points ?? 10,
      hidden: edited?.hidden ?? false,
      writes_from: edited?.writes_from ?? ('anyone' as WritesFrom),
    },
    validate: { translations: findTranslationProblem },
  });

  const submit = ({ key, translations, ...rest }: typeof form.values): Promise<unknown> => {
    const body = { ...rest, translations: readTranslations(translations) };
    return edited
      ? update.mutateAsync({ params: { game_id, key }, body })
      : create.mutateAsync({ params: { game_id }, body: { key, ...body } });
  };
  const { name, description, translations } = form.values;

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
          const typed = event.currentTarget.value;
          const { key, name: before } = form.getValues();
          form.setFieldValue('name', typed);
          if (!edited && key === keyFrom(before)) form.setFieldValue('key', keyFrom(typed));
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
      <TranslationFields
        texts={[
          { name: 'name', label: 'Name', by_default: name },
          { name: 'description', label: 'Description', by_default: description, isLong: true },
        ]}
        value={translations}
        onChange={(typed) => form.setFieldValue('translations', typed)}
        error={form.errors.translations}
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
