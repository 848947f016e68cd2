import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { DEFAULT_GROUPS, FILTER_IN_WORDS, Group } from './event-conditions.ts';
import { MAX_BREAKDOWN_GROUPS } from './limits.ts';
import { PlayersQuery } from './player-selection.ts';
import { Currency } from './revenue-settings.ts';
import { Report, SlowFormat, slowReportAnswers, ReportQuery } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

const Statistic = (description: string) =>
  t.Nullable(t.Number(`${description}; null without numbers.`));

const BREAKDOWN_NUMBERS = {
  events: t.Integer('Number of events.'),
  players: t.Integer('Players whom these events name; each counts once.'),
  numbers: t.Integer('Events whose `property` is a number.'),
  sum: Statistic('Sum of these numbers in double precision'),
  average: Statistic('Their average'),
  minimum: Statistic('The smallest'),
  p25: Statistic('First quartile'),
  median: Statistic('Median'),
  p75: Statistic('Third quartile'),
  p90: Statistic('90th percentile'),
  p99: Statistic('99th percentile'),
  maximum: Statistic('The largest'),
};

const exampleNumbers = {
  events: 300,
  players: 210,
  numbers: 300,
  sum: 1497,
  average: 4.99,
  minimum: 4.99,
  p25: 4.99,
  median: 4.99,
  p75: 4.99,
  p90: 4.99,
  p99: 4.99,
  maximum: 4.99,
};

export const getBreakdown = operation(REPORTS.breakdown.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Break events down by a property',
  description: [
    'Counts the events of one name and the players whom they name, and sums up the numbers in `property`, grouped by the values of the property `group_by`: for example the spending on each product. `occurred_at` decides the day of an event.',
    'The values with the most events have groups of their own, the largest first. Only values that are numbers in JSON are summed up. Percentiles are interpolated between neighbouring values.',
    'Amounts in different currencies are never added up: if `property` is the amount of the purchase event of the revenue settings, and the event has a currency, the whole report is about one currency. If `group_by` is the property with the currency, each group is about one, and the total has no sum.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    players: PlayersQuery.properties.players,
    split_by: PlayersQuery.properties.split_by,
    event_name: t.Name('Name of the events.'),
    filter: t.Optional(
      t.String(`Conditions on properties of the events: ${FILTER_IN_WORDS}.`, { minLength: 1 }),
    ),
    group_by: t.Optional(t.Name('Top-level property whose values make the groups.')),
    property: t.Optional(t.Name('Top-level property whose numbers are summed up.')),
    currency: t.Optional(
      Currency(
        'Only for the amounts of purchases: count those in this currency. Left out: those in the currency with the most events',
      ),
    ),
    limit: t.Integer(
      'Largest number of groups with a value of their own; all other values are in the group `other`.',
      { minimum: 1, maximum: MAX_BREAKDOWN_GROUPS, default: DEFAULT_GROUPS },
    ),
  }),
  answers: slowReportAnswers(
    'The breakdown.',
    Report('Breakdown', {
      currency: t.Nullable(
        t.String('The only currency that the report is about; null: it is not limited to one.'),
      ),
      currencies: t.Array(t.String('A currency.'), {
        description:
          'If `property` is the amount of the purchase event of the revenue settings, the currencies of these events, the most frequent first.',
      }),
      total: t.Resource('BreakdownTotal', BREAKDOWN_NUMBERS),
      groups: t.Array(t.Resource('BreakdownGroup', { ...Group, ...BREAKDOWN_NUMBERS }), {
        description:
          'The groups, the largest first; none without `group_by` or `split_by`, of which one can be given.',
      }),
    }),
    {
      currency: 'EUR',
      currencies: ['EUR', 'USD'],
      total: exampleNumbers,
      groups: [{ kind: 'value', value: 'gems_small', ...exampleNumbers }],
    },
  ),
});
