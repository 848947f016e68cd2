import { Checkbox, Group, NumberInput, Select, SimpleGrid, Stack } from '@mantine/core';
import {
  MAX_EXPERIMENT_METRICS,
  MAX_METRIC_DAYS,
} from '@overworld/contract/remote-config/experiment-limits';
import { IconTrash } from '@tabler/icons-react';
import { useEventNames, useEventProperties } from '../../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../../reports/questions/suggested-input.tsx';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { blankMetric } from './experiment-draft.ts';
import type { ExperimentFields, MetricDraft } from './experiment-draft.ts';
import classes from './experiment-form.module.css';
import { PartTitle } from '../../../ui/text.tsx';

const KINDS: { value: MetricDraft['kind']; label: string }[] = [
  { value: 'retention', label: 'Retention: players who come back' },
  { value: 'revenue', label: 'Revenue per player' },
  { value: 'event_share', label: 'Players who send an event' },
  { value: 'event_count', label: 'Events per player' },
  { value: 'event_sum', label: 'Sum of a property per player' },
];

/**
 * The fields for the metrics. The first metric decides the experiment. The
 * others inform, or guard against losses.
 */
export function MetricsFields({ form }: { form: ExperimentFields }) {
  const { metrics } = form.values;
  const events = useEventNames();
  return (
    <Stack gap="md">
      {metrics.map((metric, index) => (
        <MetricFields
          key={metric.id}
          metric={metric}
          form={form}
          index={index}
          events={events}
          onRemove={metrics.length > 1 ? () => form.removeListItem('metrics', index) : undefined}
        />
      ))}
      {metrics.length < MAX_EXPERIMENT_METRICS && (
        <AddButton
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('metrics', blankMetric())}
        >
          Add metric
        </AddButton>
      )}
    </Stack>
  );
}

function MetricFields(props: {
  metric: MetricDraft;
  form: ExperimentFields;
  index: number;
  events: readonly string[];
  onRemove?: () => void;
}) {
  const { metric, form, index, events, onRemove } = props;
  const { kind, event_name } = metric;
  const properties = useEventProperties(kind === 'event_sum' ? event_name : '');
  const number = index + 1;
  const set = (changes: Partial<MetricDraft>) =>
    form.setFieldValue(`metrics.${index}`, { ...metric, ...changes });
  const hasEvent = kind !== 'retention' && kind !== 'revenue';
  const isCapped = kind !== 'retention' && kind !== 'event_share';
  return (
    <fieldset className={classes.part}>
      <legend className="visually-hidden">Metric {number}</legend>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <PartTitle>{number === 1 ? 'This metric decides' : `Metric ${number}`}</PartTitle>
        {onRemove && (
          <IconButton icon={IconTrash} label={`Remove metric ${number}`} onClick={onRemove} />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Kind"
          description={
            kind === 'revenue' ? 'As the revenue report counts it, in its currency' : undefined
          }
          inputWrapperOrder={['label', 'input', 'description']}
          data={KINDS}
          value={kind}
          onChange={(value) =>
            value &&
            set({ kind: value as MetricDraft['kind'], days: value === 'retention' ? 1 : 7 })
          }
        />
        <NumberInput
          label={kind === 'retention' ? 'Day after the first' : 'Days that count'}
          description={
            kind === 'retention' ? undefined : 'Results come when they are over for a player'
          }
          inputWrapperOrder={['label', 'input', 'description']}
          min={1}
          max={MAX_METRIC_DAYS}
          allowDecimal={false}
          {...form.getInputProps(`metrics.${index}.days`)}
        />
        {hasEvent && (
          <SuggestedInput
            label="Event"
            isLabelled
            placeholder="Choose an event"
            suggestions={events}
            value={event_name}
            onChange={(name) => set({ event_name: name })}
          />
        )}
        {kind === 'event_sum' && (
          <SuggestedInput
            label="Property"
            isLabelled
            placeholder="price"
            suggestions={properties}
            value={metric.property}
            onChange={(property) => set({ property })}
          />
        )}
        {isCapped && (
          <NumberInput
            label="Largest value of a player"
            placeholder="no limit"
            description="Keeps few players from deciding, as with revenue"
            inputWrapperOrder={['label', 'input', 'description']}
            {...form.getInputProps(`metrics.${index}.cap`)}
          />
        )}
        <Select
          label="Better is"
          data={[
            { value: 'higher', label: 'higher' },
            { value: 'lower', label: 'lower' },
          ]}
          value={metric.good}
          onChange={(good) => good && set({ good: good as MetricDraft['good'] })}
        />
      </SimpleGrid>
      {number > 1 && (
        <Checkbox
          label="Guardrail: warn when it gets worse"
          checked={metric.guardrail}
          onChange={(event) => set({ guardrail: event.currentTarget.checked })}
        />
      )}
    </fieldset>
  );
}
