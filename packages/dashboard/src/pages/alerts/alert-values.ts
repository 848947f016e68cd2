import { ALERT_METRICS } from '@overworld/contract/alerts/alert-words';
import type { AlertMetric } from '@overworld/contract/alerts/alert-words';
import type { Environment } from '@overworld/contract/common';
import type { Answer, Input } from '../../api/operations.ts';
import { readNumber } from '../../ui/forms/read-number.ts';

export type AlertRow = Answer<'GET /v1/games/{game_id}/alerts'>['alerts'][number];
export type AlertBody = Input<'POST /v1/games/{game_id}/alerts'>['body'];

/** Writes the number of an alert as one value of a field: `payers`, or `metric:arpu` for a metric of the game. */
export const writeWatched = ({
  metric,
  metric_key,
}: {
  metric: AlertMetric;
  metric_key: string | null;
}): string => (metric_key === null ? metric : `metric:${metric_key}`);

/** Reads a value that `writeWatched` has written. */
export const readWatched = (value: string): { metric: AlertMetric; metric_key?: string } =>
  value.startsWith('metric:')
    ? { metric: 'metric', metric_key: value.slice('metric:'.length) }
    : { metric: value as AlertMetric };

/**
 * Makes the values of the fields in an alert's form.
 * @param own_account_id The member whom a new alert notifies; null: nobody yet.
 */
export const toValues = (alert: AlertRow | undefined, own_account_id: string | null) => ({
  name: alert?.name ?? '',
  metric: writeWatched(alert ?? { metric: 'active_players', metric_key: null }),
  event_name: alert?.event_name ?? '',
  period: alert?.period ?? ('day' as AlertRow['period']),
  comparison: alert?.comparison ?? ('falls' as AlertRow['comparison']),
  threshold: (alert?.threshold ?? 20) as number | string,
  baseline: alert?.baseline ?? ('usual' as AlertRow['baseline']),
  cool_down_hours: String(alert?.cool_down_hours ?? 24),
  account_ids: alert?.account_ids ?? (own_account_id === null ? [] : [own_account_id]),
  webhook_ids: alert?.webhook_ids ?? [],
});
export type AlertValues = ReturnType<typeof toValues>;

/** Returns the periods of a metric. When a metric lacks the chosen period, its first period is used. */
export const periodsOf = (watched: string): readonly ('day' | 'hour')[] =>
  ALERT_METRICS[readWatched(watched).metric].periods;

/** Tells whether a metric can be compared with its past. A forecast has no past. */
export const isComparable = (watched: string): boolean => watched !== 'quota_forecast_percent';

/** Makes the body of the request, which has all fields except those that only other metrics need. */
export function toBody(
  values: AlertValues,
  environment: Environment,
  muted: boolean,
  nameOf: NameOf,
): AlertBody {
  const { event_name, threshold, cool_down_hours, metric, ...rest } = values;
  return {
    ...rest,
    ...readWatched(metric),
    environment,
    muted,
    name: values.name.trim() || suggestName(values, nameOf),
    ...(metric === 'events' && event_name !== '' && { event_name }),
    // The server refuses an empty field and names it.
    threshold: readNumber(threshold) as number,
    cool_down_hours: Number(cool_down_hours),
  };
}

/** Returns the name of a metric of the game. */
type NameOf = (metric_key: string) => string;

const VERBS = { above: 'high', below: 'low', rises: 'up', falls: 'down' };

/** Suggests a name for an alert to which the maker has given none. */
export function suggestName(
  { metric: watched, event_name, comparison }: AlertValues,
  nameOf: NameOf,
): string {
  const { metric, metric_key } = readWatched(watched);
  const label = metric_key === undefined ? ALERT_METRICS[metric].label : nameOf(metric_key);
  const named = metric === 'events' && event_name !== '' ? `${label} “${event_name}”` : label;
  return `${named} ${VERBS[comparison]}`.slice(0, 255);
}
