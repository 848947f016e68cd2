import { NumberInput, SimpleGrid, Switch, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  MAX_INTERVAL_MS,
  MAX_LEDGER_DAYS,
  MAX_REQUIRED_METADATA,
} from '@overworld/contract/leaderboards/rule-limits';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { TrialResult } from '../../reports/trials/trial-result.tsx';
import { useTrial } from '../../reports/trials/use-trial.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { formatCompact, formatCount } from '../../ui/format.ts';
import { VIOLATION_EFFECTS, VIOLATION_WORDS, WRITER_WORDS } from './board-words.ts';
import { WordsSelect } from './words-select.tsx';

type Board = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;

const MS_PER_S = 1_000;
const MAX_INTERVAL_S = MAX_INTERVAL_MS / MS_PER_S;

/** The rules whose setting is a number; when the field is empty, the rule is off. */
const RULE_FIELDS = {
  max_gain: {
    label: 'Greatest gain a submit',
    description: 'How much better than the last score',
    placeholder: 'any',
  },
  first_gain_from: {
    label: 'First gain counts from',
    description: 'Usually 0. Empty: first scores may be any',
    placeholder: 'none',
  },
  max_gain_per_hour: {
    label: 'Greatest gain an hour',
    description: 'Over the time since the last score; a first score has one hour',
    placeholder: 'any',
  },
  interval_s: {
    label: 'Seconds between submits',
    description: 'The shortest time for a player',
    placeholder: 'any',
  },
} as const;

const positive = (typed: number | string) => {
  const value = readNumber(typed);
  return value !== undefined && !(value > 0) && 'This must be more than 0';
};

/** The rules by which a board checks submits. */
export function RulesForm({ board }: { board: Board }) {
  const { game_id } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/leaderboards/{board_name}');
  const interval_ms = board.min_submit_interval_ms;
  const form = useForm({
    initialValues: {
      writes_from: board.writes_from,
      on_violation: board.on_violation,
      max_gain: (board.max_gain ?? '') as number | string,
      first_gain_from: (board.first_gain_from ?? '') as number | string,
      max_gain_per_hour: (board.max_gain_per_hour ?? '') as number | string,
      interval_s: (interval_ms === null ? '' : interval_ms / MS_PER_S) as number | string,
      required_metadata: board.required_metadata,
      keeps_ledger: board.keeps_ledger,
      ledger_days: board.ledger_days as number | string,
    },
    validate: {
      max_gain: positive,
      max_gain_per_hour: positive,
      interval_s: (typed) =>
        positive(typed) ||
        (Number(typed) > MAX_INTERVAL_S && `This must be at most ${formatCount(MAX_INTERVAL_S)}`),
      ledger_days: (days) =>
        !(Number(days) >= 1 && Number(days) <= MAX_LEDGER_DAYS) &&
        `This must be 1 to ${MAX_LEDGER_DAYS} days`,
    },
  });

  const { board_name, order, keeps, tie_break, reset_schedule, min_score, max_score } = board;
  const settingsOf = ({ interval_s, ...values }: typeof form.values) => {
    const seconds = readNumber(interval_s);
    return {
      order,
      keeps,
      tie_break,
      reset_schedule,
      min_score,
      max_score,
      ...values,
      max_gain: readNumber(values.max_gain) ?? null,
      first_gain_from: readNumber(values.first_gain_from) ?? null,
      max_gain_per_hour: readNumber(values.max_gain_per_hour) ?? null,
      min_submit_interval_ms: seconds === undefined ? null : Math.round(seconds * MS_PER_S),
      keeps_ledger: values.keeps_ledger || seconds !== undefined,
      ledger_days: Number(values.ledger_days),
    };
  };
  const submit = (values: typeof form.values) =>
    put.mutateAsync({ params: { game_id, board_name }, headers: {}, body: settingsOf(values) });
  const isTried = form.isDirty() && form.isValid();
  const trial = useTrial(
    isTried ? { kind: 'leaderboard', key: board_name, definition: settingsOf(form.values) } : null,
  );
  const needsLedger = readNumber(form.values.interval_s) !== undefined;
  const { used, limit } = board.ledger_rows;
  const ledgerUse = `All ledgers of the game: ${formatCompact(used)} of ${formatCompact(limit)} submits`;

  const rule = (field: keyof typeof RULE_FIELDS) => (
    <NumberInput key={field} {...RULE_FIELDS[field]} {...form.getInputProps(field)} />
  );

  return (
    <DialogForm form={form} onSubmit={submit} action="Save">
      <WordsSelect
        label="Takes scores from"
        words={WRITER_WORDS}
        {...form.getInputProps('writes_from')}
      />
      <WordsSelect
        label="A score that breaks a rule"
        description={VIOLATION_EFFECTS[form.values.on_violation]}
        words={VIOLATION_WORDS}
        {...form.getInputProps('on_violation')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {rule('max_gain')}
        {rule('first_gain_from')}
        {rule('max_gain_per_hour')}
        {rule('interval_s')}
      </SimpleGrid>
      <TagsInput
        label="Required metadata"
        description="Each score must come with these properties. Press Enter after each name"
        placeholder={form.values.required_metadata.length === 0 ? 'none' : undefined}
        maxTags={MAX_REQUIRED_METADATA}
        {...form.getInputProps('required_metadata')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Switch
          label="Keep a ledger"
          description={
            needsLedger
              ? 'The time between submits needs it'
              : 'Records each submit: player, score, key and network'
          }
          mt={{ base: 0, xs: 28 }}
          disabled={needsLedger}
          {...form.getInputProps('keeps_ledger', { type: 'checkbox' })}
          checked={needsLedger || form.values.keeps_ledger}
        />
        <NumberInput
          label="Days to keep it"
          description={ledgerUse}
          min={1}
          max={MAX_LEDGER_DAYS}
          clampBehavior="none"
          {...form.getInputProps('ledger_days')}
        />
      </SimpleGrid>
      <TrialResult
        trial={trial}
        idle="Change a rule to see which scores of the ledger it would have stopped."
        nothing="Nothing changed that decides about scores of the ledger."
        tab="scores"
      />
    </DialogForm>
  );
}
