import { formatMetric } from '@overworld/contract/metrics/metric-numbers';
import type { MetricForm } from '@overworld/contract/metrics/metric-numbers';
import type { MetricKind, MetricUnit } from '@overworld/contract/metrics/metric-limits';
import type { Answer } from '../../api/operations.ts';
import type { Metric } from '../../reports/metric.tsx';
import type { ReportData } from '../../reports/report-data.ts';
import { SECONDS, SHARES } from '../../ui/charts/line-chart.tsx';
import type { Scale } from '../../ui/charts/line-chart.tsx';
import { describe } from '../../ui/conditions/conditions.ts';
import type { Condition } from '../../ui/conditions/conditions.ts';
import { formatCompact } from '../../ui/format.ts';
import { moneyScale } from '../analytics/revenue/money.ts';
import { foldingOf } from './metric-folding.ts';

export type DefinedMetric = Answer<'GET /v1/games/{game_id}/metrics'>['metrics'][number];
export type MetricReport = ReportData['metric'];
export type MetricDay = MetricReport['days'][number];

export const KIND_WORDS: Record<MetricKind, string> = {
  count: 'Number of events',
  players: 'Unique players',
  sum: 'Sum of a property',
  average: 'Average of a property',
  percentile: 'Percentile of a property',
  ratio: 'Ratio of two metrics',
};

export const UNIT_WORDS: Record<MetricUnit, string> = {
  number: 'Number',
  percent: 'Percent',
  duration: 'Duration, from seconds',
  money: 'Money',
};

function scaleOf(form: MetricForm): Scale {
  const value = (number: number) => formatMetric(number, form);
  if (form.unit === 'percent') return SHARES;
  if (form.unit === 'duration') return SECONDS;
  if (form.unit === 'money') return { ...moneyScale(form.currency!), value };
  return { value, tick: formatCompact, unit: 0.1 };
}

/** Returns the number of things behind the numbers of a group. */
export const sizeOf = (days: readonly MetricDay[]): number =>
  Math.max(0, ...days.map(({ base }) => base));

/** Makes the metric of a report, as charts and figures take it. */
export function toChartMetric({ metric }: Pick<MetricReport, 'metric'>): Metric<MetricDay> {
  return {
    value: 'days',
    name: metric.name,
    ...foldingOf(metric),
    write: (number) => formatMetric(number, metric),
    scale: scaleOf(metric),
    ...(metric.unit === 'percent' && {
      base: ({ base }: MetricDay) => base,
      isShare: metric.kind === 'ratio',
    }),
  };
}

/** Says what a metric is made of, such as `Unique players with purchase, price > 0`. */
export function definitionWords(
  metric: DefinedMetric,
  nameOf: (key: string) => string = (key) => key,
): string {
  const { kind, event_name, filter, property, percentile, per, numerator, denominator } = metric;
  if (kind === 'ratio') return `${nameOf(numerator!)} / ${nameOf(denominator!)}`;
  const events = [event_name ?? 'all events', ...(filter as Condition[]).map(describe)].join(', ');
  const what = {
    count: 'Number of',
    players: 'Players with',
    sum: `Sum of ${property} in`,
    average: `Average of ${property} in`,
    percentile: `Percentile ${percentile} of ${property} in`,
  }[kind];
  return `${what} ${events}${per === null ? '' : `, per ${per}`}`;
}
