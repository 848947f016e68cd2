import { NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { WritesFrom } from '@overworld/contract/players/verification';
import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { keyFrom } from '../../ui/forms/key-from-name.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import { WRITERS } from '../../ui/forms/writers.ts';
import { AGGREGATION_WORDS } from './stat-words.ts';
import type { Stat } from './stat-words.ts';

const AGGREGATIONS = (Object.keys(AGGREGATION_WORDS) as Aggregation[]).map((value) => ({
  value,
  label: AGGREGATION_WORDS[value],
}));

/** @param edited Null for a new statistic. */
export function StatForm({ edited }: { edited: Stat | null }) {
  const { game_id } = useGame();
  const create = useChange('POST /v1/games/{game_id}/stats');
  const update = useChange('PATCH /v1/games/{game_id}/stats/{stat_key}');
  const form = useForm({
    initialValues: {
      name: edited?.name ?? '',
      key: edited?.key ?? '',
      description: edited?.description ?? '',
      aggregation: edited?.aggregation ?? ('sum' as Aggregation),
      minimum: (edited?.minimum ?? '') as number | string,
      maximum: (edited?.maximum ?? '') as number | string,
      max_change: (edited?.max_change ?? '') as number | string,
      writes_from: edited?.writes_from ?? ('anyone' as WritesFrom),
    },
    validate: { minimum: findProblem, maximum: findProblem, max_change: findProblem },
  });
  const { aggregation } = form.values;

  const submit = ({ key, ...typed }: typeof form.values): Promise<unknown> => {
    const body = {
      ...typed,
      minimum: readNumber(typed.minimum) ?? null,
      maximum: readNumber(typed.maximum) ?? null,
      max_change: typed.aggregation === 'sum' ? (readNumber(typed.max_change) ?? null) : null,
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
        description="Your game changes it by this key. The key cannot be changed later."
        disabled={edited !== null}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('key')}
      />
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
    </DialogForm>
  );
}

const findProblem = (typed: number | string) =>
  Number.isNaN(readNumber(typed)) ? 'Type a number' : null;
