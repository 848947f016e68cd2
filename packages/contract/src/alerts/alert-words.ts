import type { MetricKind } from '../metrics/metric-limits.ts';
import { formatMetric } from '../metrics/metric-numbers.ts';
import type { MetricForm } from '../metrics/metric-numbers.ts';
import { formatPercent, formatShare, formatSignedShare, isFew } from '../percents.ts';

/**
 * The numbers that alerts watch. This module imports no schemas, so the dashboard can use its words too.
 */
export const ALERT_METRICS = {
  active_players: { label: 'Active players', unit: 'count', periods: ['day'] },
  new_players: { label: 'New players', unit: 'count', periods: ['day'] },
  payers: { label: 'Paying players', unit: 'count', periods: ['day'] },
  sessions: { label: 'Sessions', unit: 'count', periods: ['day'] },
  events: { label: 'Events', unit: 'count', periods: ['day', 'hour'] },
  refused_events_percent: {
    label: 'Share of events refused by schemas',
    unit: 'percent',
    periods: ['day'],
  },
  wrong_clock_percent: {
    label: 'Share of events with a wrong clock',
    unit: 'percent',
    periods: ['day'],
  },
  save_conflict_percent: {
    label: 'Share of saves in conflict',
    unit: 'percent',
    periods: ['day', 'hour'],
  },
  quota_forecast_percent: {
    label: 'Forecast of the monthly quota',
    unit: 'percent',
    periods: ['day'],
  },
  metric: { label: 'A metric of the game', unit: 'count', periods: ['day'] },
} as const;

export type AlertMetric = keyof typeof ALERT_METRICS;
export type AlertPeriod = 'day' | 'hour';
type AlertComparison = 'above' | 'below' | 'rises' | 'falls';
type AlertBaseline = 'usual' | 'previous';

/** The reasons why a check fails. */
export const ALERT_PROBLEMS = ['too_slow', 'failed'] as const;
type AlertProblem = (typeof ALERT_PROBLEMS)[number];

/** A metric of the game that an alert watches. */
export interface WatchedMetric extends MetricForm {
  name: string;
  kind: MetricKind;
}

/** The rule of an alert. */
export interface AlertRule {
  metric: AlertMetric;
  /** Null unless `metric` is a metric of the game. */
  defined_metric: WatchedMetric | null;
  /** Null when the events of all names count. */
  event_name: string | null;
  period: AlertPeriod;
  comparison: AlertComparison;
  threshold: number;
  baseline: AlertBaseline;
}

/** A period that was checked. */
export interface AlertReading {
  value: number | null;
  baseline_value: number | null;
}

const formatNumber = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });

type Watched = Pick<AlertRule, 'metric' | 'defined_metric'>;

/** Formats a value that an alert watches, such as `1,204` or `5.1%`. Percentages are from 0 to 100. */
function formatAlertValue({ metric, defined_metric }: Watched, value: number): string {
  if (defined_metric !== null) {
    const isPercent = defined_metric.unit === 'percent';
    return formatMetric(isPercent ? value / 100 : value, defined_metric);
  }
  return ALERT_METRICS[metric].unit === 'percent' ? formatShare(value / 100) : formatNumber(value);
}

/** Tells whether the values of an alert are numbers of things. */
const isCount = ({ metric, defined_metric }: Watched): boolean =>
  defined_metric === null
    ? ALERT_METRICS[metric].unit === 'count'
    : defined_metric.kind === 'count' || defined_metric.kind === 'players';

/** Names the metric in words, such as `Events “error” of an hour`. */
function nameMetric({ metric, defined_metric, event_name, period }: AlertRule): string {
  const label = defined_metric?.name ?? ALERT_METRICS[metric].label;
  const named = event_name === null ? label : `${label} “${event_name}”`;
  if (metric === 'quota_forecast_percent') return named;
  return `${named} of ${period === 'day' ? 'a day' : 'an hour'}`;
}

/** Names the baseline in words. */
function nameBaseline({ baseline, period }: AlertRule): string {
  if (baseline === 'previous') return period === 'day' ? 'the day before' : 'the hour before';
  return period === 'day' ? 'the usual of this weekday' : 'the usual of this hour of the week';
}

/** Writes the rule as a sentence without `when`, such as `Active players of a day fall by 20% or more …`. */
export function describeRule(rule: AlertRule): string {
  const { comparison, threshold } = rule;
  const name = nameMetric(rule);
  if (comparison === 'above' || comparison === 'below') {
    return `${name}: ${comparison} ${formatAlertValue(rule, threshold)}`;
  }
  const verb = comparison === 'rises' ? 'up' : 'down';
  return `${name}: ${verb} by ${formatPercent(threshold)} or more against ${nameBaseline(rule)}`;
}

/** Returns the difference of a value from its baseline in percent, or null if the baseline is not above 0. */
function changePercent({ value, baseline_value }: AlertReading): number | null {
  if (value === null || baseline_value === null || baseline_value <= 0) return null;
  return ((value - baseline_value) / baseline_value) * 100;
}

/** Tells whether a rule holds for a reading. Returns null when the reading lacks a value. */
export function isMet(
  { comparison, threshold }: Pick<AlertRule, 'comparison' | 'threshold'>,
  reading: AlertReading,
): boolean | null {
  const { value } = reading;
  if (value === null) return null;
  if (comparison === 'above') return value > threshold;
  if (comparison === 'below') return value < threshold;
  const change = changePercent(reading);
  if (change === null) return null;
  return comparison === 'rises' ? change >= threshold : change <= -threshold;
}

/** Describes a reading in words: `It was 1,204, −21.3% against the usual of this weekday, 1,530.` */
export function describeReading(rule: AlertRule, reading: AlertReading): string {
  const { value, baseline_value } = reading;
  if (value === null) return 'There is no data.';
  const shown = formatAlertValue(rule, value);
  if (rule.comparison === 'above' || rule.comparison === 'below') return `It was ${shown}.`;
  const change = changePercent(reading);
  if (baseline_value === null || change === null) {
    return `It was ${shown}; there is too little earlier data to compare it with.`;
  }
  const usual = formatAlertValue(rule, baseline_value);
  const isCountOfFew = isCount(rule) && isFew(baseline_value);
  if (isCountOfFew) return `It was ${shown}, against ${nameBaseline(rule)}, ${usual}.`;
  return `It was ${shown}, ${formatSignedShare(change / 100)} against ${nameBaseline(rule)}, ${usual}.`;
}

const PROBLEMS: Record<AlertProblem, string> = {
  too_slow:
    'It could not be checked: reading the number took too long. It is tried again every hour. A rule that compares with a value, or with the period before, reads less.',
  failed: 'It could not be checked. It is tried again in some minutes.',
};

/** Says why an alert could not be checked, when it is checked again, and what the member can change. */
export const describeProblem = (problem: AlertProblem): string => PROBLEMS[problem];
