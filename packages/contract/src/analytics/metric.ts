import type { Static } from 'typebox';
import { METRIC_KINDS, METRIC_UNITS } from '../metrics/metric-limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { Group } from './event-conditions.ts';
import { PlayersQuery } from './player-selection.ts';
import { Report, ReportQuery, slowReportAnswers, SlowFormat } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

/** A number of a metric, and how many things it is made of. */
const NUMBER = {
  number: t.Nullable(
    t.Number(
      'The number, in the unit of the metric; null without events for an average, a percentile or a number of each player, and for a ratio whose denominator is 0.',
    ),
  ),
  base: t.Integer(
    'The events behind the number, or the players, if it counts players or is a number of each player. For a ratio, those behind its denominator.',
  ),
};
const MetricNumber = t.Resource('MetricNumber', NUMBER);
export type MetricNumber = Static<typeof MetricNumber>;

const numbers = {
  total: MetricNumber,
  days: t.Array(t.Resource('MetricDay', { day: t.Day('The day.'), ...NUMBER }), {
    description: 'Each day of the range.',
  }),
};

/** A metric beside its numbers. */
export const ShownMetric = t.Resource('ShownMetric', {
  key: t.String('Its key.'),
  name: t.String('Its name.'),
  kind: t.Enum(METRIC_KINDS, 'Its kind.'),
  per: t.Nullable(t.Enum(['player', 'day'], 'What its numbers are divided by.')),
  unit: t.Enum(METRIC_UNITS, 'The unit of its numbers.'),
  currency: t.Nullable(t.String('The currency of its numbers; null if they are not money.')),
});
export type ShownMetric = Static<typeof ShownMetric>;

export const getMetric = operation(REPORTS.metric.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show a metric day by day',
  description:
    'The numbers of a metric that the game has defined, for each day and for the whole range. `occurred_at` decides the day of an event. Read from the events themselves, at low priority.',
  query: t.Object({
    ...ReportQuery.properties,
    ...PlayersQuery.properties,
    format: SlowFormat,
    metric_key: t.Name('Key of the metric.'),
  }),
  answers: slowReportAnswers(
    'The metric.',
    Report('MetricReport', {
      metric: ShownMetric,
      ...numbers,
      groups: t.Array(t.Resource('MetricGroup', { ...Group, ...numbers }), {
        description:
          'The numbers of each group of players, those with the most events first; none without `split_by`.',
      }),
    }),
    {
      to: '2026-03-01',
      metric: {
        key: 'payer_conversion',
        name: 'Conversion of payers',
        kind: 'ratio',
        per: null,
        unit: 'percent',
        currency: null,
      },
      total: { number: 0.031, base: 1_204 },
      days: [{ day: '2026-03-01', number: 0.031, base: 1_204 }],
      groups: [],
    },
  ),
});
