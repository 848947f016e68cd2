import type { UseFormReturnType } from '@mantine/form';
import { parseOr } from '../../../api/exact-json.ts';
import type { Input } from '../../../api/operations.ts';
import type { PlayerCondition } from '../../../ui/conditions/conditions.ts';
import { readNumber } from '../../../ui/forms/read-number.ts';
import { parametersOf } from '../experiment-words.ts';
import type { Experiment, Metric } from '../experiment-words.ts';

export type NewExperiment = Input<'POST /v1/games/{game_id}/experiments'>['body'];

/** A variant while it is being edited. `values` has a JSON text for each parameter. */
export type VariantDraft = ReturnType<typeof blankVariant>;

export const blankVariant = (name: string) => ({
  id: crypto.randomUUID() as string,
  name,
  weight: 1 as number | string,
  values: {} as Record<string, string>,
});

/** A metric while it is being edited. */
export type MetricDraft = ReturnType<typeof blankMetric>;

export const blankMetric = () => ({
  id: crypto.randomUUID() as string,
  kind: 'retention' as Metric['kind'],
  days: 1 as number | string,
  event_name: '',
  property: '',
  cap: '' as number | string,
  good: 'higher' as 'higher' | 'lower',
  guardrail: false,
});

/**
 * An experiment while it is being edited. The first variant is the control group, and the first metric
 * decides whether the experiment is a success.
 */
export type ExperimentDraft = ReturnType<typeof blankDraft>;
export type ExperimentFields = UseFormReturnType<ExperimentDraft>;

export const blankDraft = () => ({
  name: '',
  description: '',
  share: 100 as number | string,
  has_tags: [] as string[],
  lacks_tags: [] as string[],
  properties: [] as PlayerCondition[],
  parameters: [] as string[],
  variants: [blankVariant('Control'), blankVariant('Variant B')],
  metrics: [blankMetric()],
});

export const readDraft = (experiment: Experiment): ExperimentDraft => {
  const { name, description, share, condition, variants, metrics } = experiment;
  return {
    name,
    description,
    share,
    has_tags: condition?.has_tags ?? [],
    lacks_tags: condition?.lacks_tags ?? [],
    properties: (condition?.properties ?? []) as PlayerCondition[],
    parameters: parametersOf(experiment),
    variants: variants.map(({ values = {}, ...variant }) => ({
      id: crypto.randomUUID(),
      ...variant,
      values: Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]),
      ),
    })),
    metrics: metrics.map((metric) => ({
      ...blankMetric(),
      ...metric,
      cap: metric.cap ?? '',
    })),
  };
};

/** Makes the experiment of a draft. @throws Error that names the mistake in the draft. */
export function writeDraft(draft: ExperimentDraft): Required<NewExperiment> {
  const { name, description, share, parameters } = draft;
  if (parameters.length === 0) throw new Error('Choose a parameter that differs between variants');
  return {
    name,
    description,
    share: Number(readNumber(share) ?? Number.NaN),
    condition: writeCondition(draft) as Required<NewExperiment>['condition'],
    variants: draft.variants.map((variant, index) => ({
      name: variant.name,
      weight: Number(variant.weight),
      ...(index === 0 ? {} : { values: writeValues(variant, parameters) }),
    })),
    metrics: draft.metrics.map(writeMetric),
  };
}

/** Returns null to remove the condition of an experiment that had one. */
function writeCondition({ has_tags, lacks_tags, properties }: ExperimentDraft) {
  if (has_tags.length + lacks_tags.length + properties.length === 0) return null;
  return {
    ...(has_tags.length > 0 ? { has_tags } : {}),
    ...(lacks_tags.length > 0 ? { lacks_tags } : {}),
    ...(properties.length > 0 ? { properties } : {}),
  };
}

function writeValues({ name, values }: VariantDraft, parameters: readonly string[]): object {
  const entries = parameters.map((key) => {
    const value = parseOr(values[key] ?? '', undefined);
    if (value === undefined) {
      throw new Error(`The value of ${key} in ${name} is not JSON. Put text in quotes.`);
    }
    return [key, value] as const;
  });
  return Object.fromEntries(entries);
}

function writeMetric(draft: MetricDraft, index: number): Metric {
  const { kind, days, event_name, property, cap, good, guardrail } = draft;
  const metric: Metric = { kind, days: Number(days) };
  if (kind !== 'retention' && kind !== 'revenue') {
    if (event_name === '') throw new Error(`Metric ${index + 1}: choose an event`);
    metric.event_name = event_name;
  }
  if (kind === 'event_sum') {
    if (property === '') throw new Error(`Metric ${index + 1}: choose a property to add up`);
    metric.property = property;
  }
  const most = readNumber(cap);
  if (most !== undefined && kind !== 'retention' && kind !== 'event_share') metric.cap = most;
  if (good === 'lower') metric.good = good;
  if (guardrail && index > 0) metric.guardrail = true;
  return metric;
}
