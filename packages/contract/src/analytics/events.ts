import { MAX_HOURLY_REPORT_DAYS, MAX_REPORT_EVENT_NAMES } from './limits.ts';
import { Type } from 'typebox';
import { ANALYTICS_GROUP, Day, Report, reportAnswer, ReportQuery } from './report.ts';
import { GameId, merge, Name, Nullable, Resource, Uuid } from '../common.ts';
import { defineOperation } from '../operation.ts';

const KeyQuery = Type.Object({
  key_id: Type.Optional(Uuid('Only what came with this API key.')),
});
const group = ANALYTICS_GROUP;
const params = Type.Object({ game_id: GameId });

const counts = (description: string) => Type.Array(Type.Integer(), { description });

export const getEventCounts = defineOperation({
  id: 'getEventCounts',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/events',
  access: 'viewer',
  group,
  summary: 'Count events by name, by day or hour',
  description: `Events by when they happened. The most frequent names are told apart, the others are counted together. By the hour a range has at most ${MAX_HOURLY_REPORT_DAYS} days.`,
  params,
  query: merge(
    merge(ReportQuery, KeyQuery),
    Type.Object({
      event_name: Type.Optional(Name('Only events of this name.')),
      by: Type.Enum(['day', 'hour'], { default: 'day', description: 'Length of a period.' }),
      limit: Type.Integer({
        minimum: 1,
        maximum: MAX_REPORT_EVENT_NAMES,
        default: 20,
        description: 'How many names are told apart.',
      }),
    }),
  ),
  answers: {
    200: reportAnswer({
      description: 'Counts by name and period.',
      body: Report('EventCounts', {
        by: Type.Enum(['day', 'hour'], { description: 'Length of a period.' }),
        periods: Type.Array(Type.String(), {
          description:
            'Periods of the range: days, such as `2026-03-01`, or the starts of hours, such as `2026-03-01T17:00:00.000Z`.',
        }),
        event_count: Type.Integer({ description: 'All events of the range.' }),
        counts: counts('All events of each period.'),
        events: Type.Array(
          Resource('EventNameCounts', {
            event_name: Type.String({ description: 'The name.' }),
            event_count: Type.Integer({ description: 'Its events in the range.' }),
            counts: counts('Its events of each period.'),
          }),
          { description: 'Names, the most frequent first.' },
        ),
        other_name_count: Type.Integer({
          description: 'How many names there are beside these.',
        }),
      }),
      example: {
        from: '2026-03-01',
        to: '2026-03-02',
        time_zone: 'Europe/Berlin',
        by: 'day',
        periods: ['2026-03-01', '2026-03-02'],
        event_count: 95,
        counts: [50, 45],
        events: [{ event_name: 'level_complete', event_count: 90, counts: [48, 42] }],
        other_name_count: 2,
      },
    }),
  },
});

const exampleKey = {
  key_id: '3f0c8a52-7a39-4c8e-9a44-2a0f5d7b1c11',
  key_name: 'Live build',
};
const keyMembers = {
  key_id: Uuid('Id of the API key.'),
  key_name: Nullable(Type.String({ description: 'Null when the key no longer exists.' })),
};
const problemMembers = {
  warned_count: Type.Integer({ description: 'Events stored although they break their schema.' }),
  refused_count: Type.Integer({
    description: 'Events that made a request be refused: malformed, or breaking their schema.',
  }),
};

export const getDataQuality = defineOperation({
  id: 'getDataQuality',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/data-quality',
  access: 'viewer',
  group,
  summary: 'Show what is wrong with the events that each API key sends',
  description:
    'By the day of receipt, so that a broken build shows on the day it is let loose. Events, late events and wrong clocks are exact. Warnings, refusals and repeats are gathered in memory and written every other second: a crash loses the last of them.',
  params,
  query: merge(ReportQuery, KeyQuery),
  answers: {
    200: reportAnswer({
      description: 'Each day on which a key sent something, and the events that break schemas.',
      body: Report('DataQuality', {
        days: Type.Array(
          Resource('DataQualityDay', {
            day: Day('Day of receipt.'),
            ...keyMembers,
            event_count: Type.Integer({ description: 'Events received.' }),
            late_count: Type.Integer({
              description: 'Of these, events that had happened more than a day before.',
            }),
            wrong_clock_count: Type.Integer({
              description:
                'Of these, events whose `client_timestamp` lies more than 90 days before receipt or more than an hour after it, so that receipt counts instead.',
            }),
            ...problemMembers,
            repeated_count: Type.Integer({
              description:
                'Events that were sent again with the `Idempotency-Key` of a request before, and not stored twice.',
            }),
          }),
          { description: 'Days in order, and of each the busiest key first.' },
        ),
        schemas: Type.Array(
          Resource('SchemaProblems', {
            event_name: Type.String({ description: 'Name of the event that has the schema.' }),
            ...keyMembers,
            ...problemMembers,
          }),
          { description: 'Events that break their schema, over the whole range, most first.' },
        ),
      }),
      example: {
        from: '2026-03-01',
        to: '2026-03-01',
        time_zone: 'Europe/Berlin',
        days: [
          {
            day: '2026-03-01',
            ...exampleKey,
            event_count: 41_250,
            late_count: 120,
            wrong_clock_count: 3,
            warned_count: 17,
            refused_count: 0,
            repeated_count: 8,
          },
        ],
        schemas: [{ event_name: 'purchase', ...exampleKey, warned_count: 17, refused_count: 0 }],
      },
    }),
  },
});
