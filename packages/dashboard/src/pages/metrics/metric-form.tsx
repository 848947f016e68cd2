import { NumberInput, Select, SimpleGrid, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { REPORTS } from '@overworld/contract/analytics/reports';
import { hasProperty, METRIC_KINDS, PER_OF_KIND } from '@overworld/contract/metrics/metric-limits';
import { useChange } from '../../api/hooks.ts';
import { queryClient } from '../../api/query-client.ts';
import { EventField } from '../../reports/questions/event-choice-fields.tsx';
import { useEventNames, useEventProperties } from '../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../reports/questions/suggested-input.tsx';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { NameAndKeyFields } from '../../ui/forms/name-and-key-fields.tsx';
import { toBody, toDraft, unitsOf } from './metric-draft.ts';
import type { MetricDraft } from './metric-draft.ts';
import { KIND_WORDS, UNIT_WORDS } from './metric-words.ts';
import type { DefinedMetric } from './metric-words.ts';

const KINDS = METRIC_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }));
const PER_WORDS = { player: 'For each player', day: 'For each day' };
const AMOUNT_UNITS = [
  { value: 'major', label: '4.99 is 4.99' },
  { value: 'minor', label: '499 is 4.99' },
  { value: 'micro', label: '4990000 is 4.99' },
];

type Fields = { form: UseFormReturnType<MetricDraft> };

/** @param props.edited Null for a new metric. `onDone` gets the key. */
export function MetricForm(props: {
  edited: DefinedMetric | null;
  metrics: readonly DefinedMetric[];
  onDone: (key: string) => void;
}) {
  const { edited, metrics, onDone } = props;
  const { game_id } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/metrics/{metric_key}');
  const form = useForm<MetricDraft>({
    initialValues: toDraft(edited),
    validate: {
      key: (key) =>
        edited === null &&
        metrics.some((metric) => metric.key === key) &&
        'Another metric has this key',
    },
  });
  const { kind } = form.values;
  return (
    <DialogForm
      form={form}
      onSubmit={(draft: MetricDraft) =>
        put.mutateAsync({ params: { game_id, metric_key: draft.key }, body: toBody(draft) })
      }
      onDone={({ key }: DefinedMetric) => {
        // Slow reports are not loaded again by themselves, and a ratio may have changed with this metric.
        void queryClient.invalidateQueries({ queryKey: [REPORTS.metric.route] });
        onDone(key);
      }}
      action={edited ? 'Save' : 'Create metric'}
      gap="sm"
    >
      <NameAndKeyFields form={form} isNew={edited === null} keyUse="Cards and files know it" />
      <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
      <Select
        label="What it is"
        data={KINDS}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      {kind === 'ratio' ? (
        <RatioFields form={form} metrics={metrics} />
      ) : (
        <EventFields form={form} />
      )}
      <UnitFields form={form} />
    </DialogForm>
  );
}

function RatioFields({ form, metrics }: Fields & { metrics: readonly DefinedMetric[] }) {
  const data = metrics
    .filter(({ kind }) => kind !== 'ratio')
    .map(({ key, name }) => ({ value: key, label: name }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Metric"
        placeholder="Payers"
        data={data}
        searchable
        nothingFoundMessage="Create these metrics first"
        {...form.getInputProps('numerator')}
      />
      <Select
        label="Divided by"
        placeholder="Players"
        data={data}
        searchable
        nothingFoundMessage="Create these metrics first"
        {...form.getInputProps('denominator')}
      />
    </SimpleGrid>
  );
}

/** The fields of a metric that is made of events. */
function EventFields({ form }: Fields) {
  const { kind, events, property, per } = form.values;
  const names = useEventNames();
  const properties = useEventProperties(events.event_name);
  const pers = PER_OF_KIND[kind];
  return (
    <>
      <EventField
        label={hasProperty(kind) ? 'Event' : 'Event; without one, all events count'}
        events={names}
        choice={events}
        onChange={(choice) => form.setFieldValue('events', choice)}
      />
      {hasProperty(kind) && (
        <SuggestedInput
          label="Property"
          isLabelled
          placeholder="price"
          description="Values that are no numbers do not count"
          suggestions={properties}
          value={property}
          onChange={(name) => form.setFieldValue('property', name)}
        />
      )}
      {kind === 'percentile' && (
        <NumberInput
          label="Percentile"
          description="50 is the median"
          min={1}
          max={99}
          allowDecimal={false}
          {...form.getInputProps('percentile')}
        />
      )}
      {pers.length > 0 && (
        <Select
          label="Divided"
          placeholder="Not divided"
          data={pers.map((value) => ({ value, label: PER_WORDS[value] }))}
          clearable
          value={(pers as readonly string[]).includes(per) ? per : null}
          onChange={(value) => form.setFieldValue('per', value ?? '')}
        />
      )}
    </>
  );
}

function UnitFields({ form }: Fields) {
  const { kind, unit, events, currency_property } = form.values;
  const properties = useEventProperties(events.event_name);
  const units = unitsOf(kind);
  if (units.length === 1) return null;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Unit"
          data={units.map((value) => ({ value, label: UNIT_WORDS[value] }))}
          allowDeselect={false}
          {...form.getInputProps('unit')}
        />
        {unit === 'money' && (
          <Select
            label="Currency"
            data={[...CURRENCIES]}
            searchable
            {...form.getInputProps('currency')}
          />
        )}
      </SimpleGrid>
      {unit === 'money' && kind !== 'ratio' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <SuggestedInput
            label="Property with the currency"
            isLabelled
            placeholder="None: all events count"
            suggestions={properties}
            value={currency_property}
            onChange={(name) => form.setFieldValue('currency_property', name)}
          />
          <Select
            label="Amounts"
            data={AMOUNT_UNITS}
            allowDeselect={false}
            {...form.getInputProps('amount_unit')}
          />
        </SimpleGrid>
      )}
    </>
  );
}
