import { NumberInput, Select, SimpleGrid, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import type { WritesFrom } from '@overworld/contract/players/verification';
import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { NameAndKeyFields } from '../../ui/forms/name-and-key-fields.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { WRITERS } from '../../ui/forms/writers.ts';
import { findSourceProblem, readSource, writeSource } from './source-draft.ts';
import type { SourceDraft } from './source-draft.ts';
import { SourceFields } from './source-fields.tsx';
import { AGGREGATION_WORDS } from './stat-words.ts';
import type { Stat } from './stat-words.ts';

const AGGREGATIONS = (Object.keys(AGGREGATION_WORDS) as Aggregation[]).map((value) => ({
  value,
  label: AGGREGATION_WORDS[value],
}));

interface StatDraft {
  name: string;
  key: string;
  description: string;
  aggregation: Aggregation;
  minimum: number | string;
  maximum: number | string;
  max_change: number | string;
  writes_from: WritesFrom;
  source: SourceDraft;
}

/** @param edited Null for a new statistic. */
export function StatForm({ edited }: { edited: Stat | null }) {
  const { game_id } = useGame();
  const create = useChange('POST /v1/games/{game_id}/stats');
  const update = useChange('PATCH /v1/games/{game_id}/stats/{stat_key}');
  const form = useForm<StatDraft>({
    initialValues: {
      name: edited?.name ?? '',
      key: edited?.key ?? '',
      description: edited?.description ?? '',
      aggregation: edited?.aggregation ?? 'sum',
      minimum: edited?.minimum ?? '',
      maximum: edited?.maximum ?? '',
      max_change: edited?.max_change ?? '',
      writes_from: edited?.writes_from ?? 'anyone',
      source: readSource(edited?.source ?? null),
    },
    validate: {
      minimum: findProblem,
      maximum: findProblem,
      max_change: findProblem,
      source: findSourceProblem,
    },
  });
  const { aggregation, source } = form.values;

  const submit = ({ key, ...typed }: StatDraft): Promise<unknown> => {
    const { name, description } = typed;
    const described = { name, description, aggregation: typed.aggregation };
    const body = typed.source.isMoved
      ? { ...described, ...UNBOUNDED, source: writeSource(typed.source) }
      : {
          ...described,
          minimum: readNumber(typed.minimum) ?? null,
          maximum: readNumber(typed.maximum) ?? null,
          max_change: typed.aggregation === 'sum' ? (readNumber(typed.max_change) ?? null) : null,
          writes_from: typed.writes_from,
          source: null,
        };
    return edited
      ? update.mutateAsync({ params: { game_id, stat_key: key }, body })
      : create.mutateAsync({ params: { game_id }, body: { key, ...body } });
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={edited ? 'Save' : 'Create statistic'}
      gap="sm"
    >
      <NameAndKeyFields form={form} isNew={edited === null} keyUse="Your game knows it" />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <Select
        label="Changes are joined"
        description="Cannot change once players have values."
        data={AGGREGATIONS}
        allowDeselect={false}
        {...form.getInputProps('aggregation')}
      />
      <SwitchField
        label="Moved by"
        data={[
          { value: 'calls', label: 'Calls of the game' },
          { value: 'events', label: 'Its events' },
        ]}
        value={source.isMoved ? 'events' : 'calls'}
        onChange={(by) => form.setFieldValue('source', { ...source, isMoved: by === 'events' })}
      />
      {source.isMoved ? (
        <SourceFields
          source={source}
          aggregation={aggregation}
          onChange={(changed) => form.setFieldValue('source', changed)}
          error={form.errors.source}
        />
      ) : (
        <LimitFields form={form} />
      )}
    </DialogForm>
  );
}

/** The fields of a statistic that calls change. */
function LimitFields({ form }: { form: UseFormReturnType<StatDraft> }) {
  const { aggregation } = form.values;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label="Least value"
          placeholder="No bound"
          {...form.getInputProps('minimum')}
        />
        <NumberInput
          label="Greatest value"
          placeholder="No bound"
          {...form.getInputProps('maximum')}
        />
      </SimpleGrid>
      {aggregation === 'sum' && (
        <NumberInput
          label="Most in one call"
          description="The most that a call may add or take away"
          placeholder="No limit"
          allowNegative={false}
          {...form.getInputProps('max_change')}
        />
      )}
      <Select
        label="Changed by"
        data={WRITERS}
        allowDeselect={false}
        {...form.getInputProps('writes_from')}
      />
    </>
  );
}

/** A statistic that events move has no limits. */
const UNBOUNDED = {
  minimum: null,
  maximum: null,
  max_change: null,
  writes_from: 'anyone',
} as const;

const findProblem = (typed: number | string) =>
  Number.isNaN(readNumber(typed)) ? 'Type a number' : null;
