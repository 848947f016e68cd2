import { t } from '../schema.ts';
import { ALERT_METRICS } from './alert-words.ts';
import type { AlertMetric } from './alert-words.ts';

/** A day or an hour is checked this many minutes after its end, so that late events count. */
export const CHECK_DELAY_MINUTES = { day: 15, hour: 5 } as const;
/** The maximum number of seconds that a check may take. */
export const MAX_CHECK_SECONDS = 10;
/** The usual value is the median of the values of this many past weeks. */
export const USUAL_WEEKS = 4;
/** The minimum number of past weeks with data. With fewer weeks, there is no usual value. */
export const LEAST_USUAL_WEEKS = 2;

const ALERT_METRIC_NAMES = Object.keys(ALERT_METRICS) as [AlertMetric, ...AlertMetric[]];
export const PERIOD_IN_WORDS =
  'The periods to check once they are over, in the time zone of the game. Hours are for `events` and `save_conflict_percent`.';
export const BASELINE_IN_WORDS = `For rises and falls. \`usual\`: the median of the same weekday (and hour) of the last ${USUAL_WEEKS} weeks, of which ${LEAST_USUAL_WEEKS} must have data. \`previous\`: the period before.`;

/** The fields of an alert's rule, with their limits. */
export const rule = {
  metric: t.Enum(
    ALERT_METRIC_NAMES,
    'The number to watch. `payers` are those of the revenue report. `events` with `event_name` counts the events of one name, such as errors. `metric` is a metric of the game, by the day; percentages are then from 0 to 100. `quota_forecast_percent` is the share of the monthly quota that the game will have used at the end of the month at the present pace.',
  ),
  metric_key: t.Nullable(t.Name('Only for `metric`: the key of a metric of the game.')),
  event_name: t.Nullable(t.Name('Only for `events`: count these alone; null: all events.')),
  period: t.Enum(['day', 'hour'], PERIOD_IN_WORDS),
  comparison: t.Enum(
    ['above', 'below', 'rises', 'falls'],
    '`above` and `below` compare with `threshold` itself, `rises` and `falls` by `threshold` percent or more with the baseline.',
  ),
  threshold: t.Number('A value, or the percentage of a rise or fall.', {
    minimum: 0,
    maximum: 1e15,
  }),
  baseline: t.Enum(['usual', 'previous'], BASELINE_IN_WORDS),
};
