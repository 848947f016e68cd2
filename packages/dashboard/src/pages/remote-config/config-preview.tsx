import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { wordsOf } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Dimmed } from '../../ui/text.tsx';
import { TextLink } from '../../ui/links.tsx';
import { column } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { Value } from '../../ui/json/value.tsx';
import { CONDITION_WORDS } from './rules/rule-words.ts';
import { showName } from '../../ui/shown-name.ts';

type Preview = Answer<'POST /v1/games/{game_id}/config/preview'>;
type Row = [key: string, value: unknown];

/** Shows the values that a player gets, and the rule or the experiment that gives each value. */
export function ConfigPreview() {
  const { inEnvironment } = useGame();
  const [player_id, setPlayerId] = useState('');
  const preview = useChange('POST /v1/games/{game_id}/config/preview');

  return (
    <Stack gap="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          preview.mutate({ ...inEnvironment(), body: player_id ? { player_id } : {} });
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Player id"
            description="Leave empty to see the values of a game that names no player"
            style={{ flex: '0 1 380px' }}
            value={player_id}
            onChange={(event) => setPlayerId(event.currentTarget.value)}
            error={preview.error && wordsOf(preview.error)}
          />
          <Button type="submit" loading={preview.isPending}>
            Preview
          </Button>
        </Group>
      </form>
      {preview.data && (
        <TableCard
          title={`Version ${preview.data.version}`}
          label="Values of the player"
          rows={Object.entries(preview.data.config)}
          rowKey={([key]) => key}
          columns={[
            column<Row>('key', 'Key', ([key]) => <code className="truncate">{showName(key)}</code>),
            column<Row>('value', 'Value', ([, value]) => <Value value={value} />),
            column<Row>('why', 'Why', ([key]) => <Reason preview={preview.data} parameter={key} />),
          ]}
          emptyTitle="Nothing"
          emptyWords="The config has no parameters."
        />
      )}
    </Stack>
  );
}

function Reason({ preview, parameter }: { preview: Preview; parameter: string }) {
  const { path } = useGame();
  const experiment = preview.experiments.find(({ keys }) => keys.includes(parameter));
  if (experiment) {
    return (
      <Text size="sm" className="name">
        variant {experiment.variant_name} of{' '}
        <TextLink to={path('experiments', experiment.experiment_id)}>
          {experiment.experiment_name}
        </TextLink>
      </Text>
    );
  }
  const decision = preview.decisions.find(({ key }) => key === parameter);
  if (!decision) {
    return <Dimmed>no rules</Dimmed>;
  }
  const { rule, rule_name, unmatched } = decision;
  return (
    <Text size="sm" className="name">
      {rule === null ? 'no rule matched' : `rule ${rule + 1}${rule_name ? `, ${rule_name}` : ''}`}
      {unmatched.length > 0 && (
        <Text span c="dimmed" size="xs">
          {' '}
          ({unmatched.map((each, index) => `${index + 1}: ${CONDITION_WORDS[each]}`).join('; ')})
        </Text>
      )}
    </Text>
  );
}
