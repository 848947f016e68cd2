import { Type } from 'typebox';
import { ANALYTICS_GROUP, Report, reportAnswer, ReportQuery } from './report.ts';
import { GameId, merge, Name, Nullable, Resource } from '../common.ts';
import { FILTER_IN_WORDS, Group, GroupLimit, stoppedAnswer } from './event-conditions.ts';
import { defineOperation } from '../operation.ts';

const Statistic = (description: string) =>
  Nullable(Type.Number({ description: `${description}; null without numbers.` }));

const BREAKDOWN_NUMBERS = {
  events: Type.Integer({ description: 'Number of events.' }),
  players: Type.Integer({ description: 'Players whom these events name, each once.' }),
  numbers: Type.Integer({ description: 'Events whose `property` is a number.' }),
  sum: Statistic('Sum of these numbers, in double precision'),
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

export const getBreakdown = defineOperation({
  id: 'getBreakdown',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/breakdown',
  access: 'viewer',
  group: ANALYTICS_GROUP,
  summary: 'Break events down by a property',
  description: [
    'Counts the events of one name, the players whom they name, and the numbers in `property`, by the values of the property `group_by`: such as how much was spent on each product. Events count by `occurred_at`.',
    'The groups with the most events have their own, the largest first. Only values that are numbers in JSON are summed up; percentiles are interpolated between neighbours.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  params: Type.Object({ game_id: GameId }),
  query: merge(
    ReportQuery,
    Type.Object({
      event_name: Name('Name of the events.'),
      filter: Type.Optional(
        Type.String({
          minLength: 1,
          description: `Conditions on properties of the events: ${FILTER_IN_WORDS}.`,
        }),
      ),
      group_by: Type.Optional(Name('Top-level property whose values make the groups.')),
      property: Type.Optional(Name('Top-level property whose numbers are summed up.')),
      limit: GroupLimit,
    }),
  ),
  answers: {
    200: reportAnswer({
      description: 'The breakdown.',
      body: Report('Breakdown', {
        total: Resource('BreakdownTotal', BREAKDOWN_NUMBERS),
        groups: Type.Array(Resource('BreakdownGroup', { ...Group, ...BREAKDOWN_NUMBERS }), {
          description: 'The groups, the largest first; empty without `group_by`.',
        }),
      }),
      example: {
        from: '2026-03-01',
        to: '2026-03-30',
        time_zone: 'Europe/Berlin',
        total: exampleNumbers,
        groups: [{ kind: 'value', value: 'gems_small', ...exampleNumbers }],
      },
    }),
    503: stoppedAnswer,
  },
});
