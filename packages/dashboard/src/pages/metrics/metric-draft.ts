import { hasProperty, PER_OF_KIND } from '@overworld/contract/metrics/metric-limits';
import type { MetricKind, MetricUnit } from '@overworld/contract/metrics/metric-limits';
import type { Input } from '../../api/operations.ts';
import type { EventChoice } from '../../reports/questions/event-choice.ts';
import type { Condition } from '../../ui/conditions/conditions.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import type { DefinedMetric } from './metric-words.ts';

export type MetricBody = Input<'PUT /v1/games/{game_id}/metrics/{metric_key}'>['body'];

/** A metric while its fields are typed. Fields of other kinds keep what was typed. */
export interface MetricDraft {
  name: string;
  key: string;
  description: string;
  kind: MetricKind;
  events: EventChoice;
  property: string;
  percentile: number | string;
  per: string;
  numerator: string | null;
  denominator: string | null;
  unit: MetricUnit;
  currency: string | null;
  currency_property: string;
  amount_unit: NonNullable<MetricBody['amount_unit']>;
}

export const toDraft = (metric: DefinedMetric | null): MetricDraft => ({
  name: metric?.name ?? '',
  key: metric?.key ?? '',
  description: metric?.description ?? '',
  kind: metric?.kind ?? 'players',
  events: { event_name: metric?.event_name ?? '', filter: (metric?.filter ?? []) as Condition[] },
  property: metric?.property ?? '',
  percentile: metric?.percentile ?? 50,
  per: metric?.per ?? '',
  numerator: metric?.numerator ?? null,
  denominator: metric?.denominator ?? null,
  unit: metric?.unit ?? 'number',
  currency: metric?.currency ?? null,
  currency_property: metric?.currency_property ?? '',
  amount_unit: metric?.amount_unit ?? 'major',
});

/** The units of a kind: counts are numbers. */
export const unitsOf = (kind: MetricKind): readonly MetricUnit[] =>
  kind === 'count' || kind === 'players' ? ['number'] : ['number', 'percent', 'duration', 'money'];

/** Makes the body of the request, with the fields that the kind and the unit have. */
export function toBody(draft: MetricDraft): MetricBody {
  const { name, description, kind, events, property, percentile, per } = draft;
  const { numerator, denominator, currency, currency_property, amount_unit } = draft;
  const unit = unitsOf(kind).includes(draft.unit) ? draft.unit : 'number';
  const isMoney = unit === 'money';
  const common = {
    name,
    description,
    kind,
    unit,
    ...(isMoney && { currency: currency ?? undefined }),
  };
  if (kind === 'ratio') {
    return { ...common, numerator: numerator ?? undefined, denominator: denominator ?? undefined };
  }
  const { event_name, filter } = events;
  return {
    ...common,
    ...(event_name !== '' && { event_name, filter }),
    ...(hasProperty(kind) && { property: property || undefined }),
    // The server refuses an empty field and names it.
    ...(kind === 'percentile' && { percentile: readNumber(percentile) as number }),
    ...((PER_OF_KIND[kind] as readonly string[]).includes(per) && {
      per: per as 'player' | 'day',
    }),
    ...(isMoney && { amount_unit, currency_property: currency_property || undefined }),
  };
}
