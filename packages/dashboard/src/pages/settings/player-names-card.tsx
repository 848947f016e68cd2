import { Autocomplete, Button, Group, Loader, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { Dimmed, NameAndWords } from '../../ui/text.tsx';
import { countOf, quantityOf } from '../../ui/format.ts';
import { Form } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import type { Answer } from '../../api/operations.ts';

const READ = 'GET /v1/games/{game_id}/player-names';

/** Lets members choose which player property the dashboard shows as the player's name. */
export function PlayerNamesCard() {
  const { inEnvironment } = useGame();
  const names = useRead(READ, inEnvironment());
  const indexing = names.data?.indexing ?? null;
  useRead(READ, inEnvironment(), { enabled: indexing !== null, every: 2_000 });
  return (
    <Card title="Player names">
      <Text size="sm" mb="md">
        Players are shown by the name that your game sends as one of their properties. Both
        environments use the same property.
      </Text>
      <Loaded query={names}>
        {(data) => <PropertyForm key={data.player_name_property} names={data} />}
      </Loaded>
      {indexing && (
        <Group gap="xs" mt="sm" role="status">
          <Loader size={14} />
          <Dimmed>
            The search learns the names: {countOf(indexing.players_read, 'player')} read. Until then
            searches take longer.
          </Dimmed>
        </Group>
      )}
    </Card>
  );
}

function PropertyForm({ names }: { names: Answer<typeof READ> }) {
  const { game_id, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const form = useForm({
    initialValues: { player_name_property: names.player_name_property ?? '' },
  });
  const { suggestions } = names;
  const submit = async (values: typeof form.values) => {
    const player_name_property = values.player_name_property || null;
    await update.mutateAsync({ params: { game_id }, body: { player_name_property } });
    notify.done(player_name_property ? 'Players have names' : 'Players are shown by their ids');
  };
  const best = suggestions[0];
  return (
    <Form form={form} onSubmit={submit} gap="xs">
      <Group align="flex-end" gap="xs">
        <Autocomplete
          label="Property"
          placeholder="None: players are shown by their ids"
          disabled={!can('developer')}
          data={suggestions.map(({ property }) => property)}
          filter={({ options }) => options}
          renderOption={({ option: { value } }) => (
            <NameAndWords name={value} words={wordsOn(suggestions, value)} />
          )}
          maxLength={255}
          clearable
          spellCheck={false}
          style={{ flex: 1 }}
          {...form.getInputProps('player_name_property')}
        />
        {can('developer') && (
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
            Save
          </Button>
        )}
      </Group>
      <RoleNote role="developer" />
      {names.player_name_property === null && best && can('developer') && (
        <Dimmed>
          {quantityOf(best.share)} of your newest players have {best.property}, such as “
          {best.example}”.{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => form.setFieldValue('player_name_property', best.property)}
          >
            Use {best.property}
          </Button>
        </Dimmed>
      )}
    </Form>
  );
}

function wordsOn(suggestions: Answer<typeof READ>['suggestions'], name: string) {
  const found = suggestions.find(({ property }) => property === name);
  return found && `${quantityOf(found.share)} of the newest players, such as “${found.example}”`;
}
