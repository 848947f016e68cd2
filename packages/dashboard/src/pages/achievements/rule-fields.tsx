import { Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { MAX_UNLOCK_CONDITIONS } from '@overworld/contract/achievements/rule-limits';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton, IconButton } from '../../ui/buttons.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { FailureText, Note } from '../../ui/text.tsx';
import type { Achievement } from './achievement-list.tsx';

/** A condition as it is typed. */
export interface TypedCondition {
  id: string;
  stat: string;
  at_least: number | string;
}

export const typeRule = (rule: Achievement['unlock_when']): TypedCondition[] =>
  rule.map((condition) => ({ id: crypto.randomUUID(), ...condition }));

/** Makes the rule for a request. The server refuses a number that is missing, and names it. */
export const readRule = (typed: readonly TypedCondition[]): Achievement['unlock_when'] =>
  typed.map(({ stat, at_least }) => ({ stat, at_least: readNumber(at_least) as number }));

export function findRuleProblem(typed: readonly TypedCondition[]): string | null {
  for (const [index, { stat, at_least }] of typed.entries()) {
    if (stat === '') return `Condition ${index + 1} needs a statistic`;
    if (!((readNumber(at_least) ?? 0) > 0)) return `${stat} needs a number above 0`;
    if (typed.findIndex((other) => other.stat === stat) < index) return `${stat} is there twice`;
  }
  return null;
}

/** The fields for the rule by which an achievement unlocks. */
export function RuleFields(props: {
  value: TypedCondition[];
  onChange: (value: TypedCondition[]) => void;
  error?: ReactNode;
}) {
  const { value, onChange, error } = props;
  const { inEnvironment } = useGame();
  const { data } = useRead('GET /v1/games/{game_id}/stats', inEnvironment());
  const known = (data?.stats ?? []).filter(
    ({ archived, aggregation }) => !archived && aggregation !== 'min',
  );
  const change = (id: string, changes: Partial<TypedCondition>) =>
    onChange(value.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  return (
    <Stack gap="xs">
      {value.map(({ id, stat, at_least }, index) => (
        <Group key={id} gap={6} wrap="nowrap" align="center">
          <Text size="sm" w={84}>
            {index === 0 ? 'Unlocks at' : 'and at'}
          </Text>
          <NumberInput
            aria-label={`Value of condition ${index + 1}`}
            placeholder="100"
            w={110}
            hideControls
            value={at_least}
            onChange={(typed) => change(id, { at_least: typed })}
          />
          <Select
            aria-label={`Statistic of condition ${index + 1}`}
            placeholder="Statistic"
            searchable
            style={{ flex: 1, minWidth: 80 }}
            data={known.map(({ key, name }) => ({ value: key, label: name }))}
            value={stat || null}
            onChange={(key) => change(id, { stat: key ?? '' })}
          />
          <IconButton
            icon={IconTrash}
            label={`Remove condition ${index + 1}`}
            onClick={() => onChange(value.filter((each) => each.id !== id))}
          />
        </Group>
      ))}
      {error && <FailureText size="xs">{error}</FailureText>}
      <Group justify="space-between" gap="xs">
        <AddButton
          size="xs"
          variant="default"
          disabled={value.length >= MAX_UNLOCK_CONDITIONS || known.length === 0}
          onClick={() => onChange([...value, { id: crypto.randomUUID(), stat: '', at_least: '' }])}
        >
          {value.length === 0 ? 'Unlock by a statistic' : 'Add condition'}
        </AddButton>
        {data && known.length === 0 && (
          <Note style={{ flex: '1 1 200px' }}>
            An achievement can unlock by itself when a statistic has grown. The game has none yet.
          </Note>
        )}
      </Group>
    </Stack>
  );
}
