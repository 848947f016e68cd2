import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_HOURLY_REPORT_DAYS, MAX_REPORT_EVENT_NAMES } from './limits.ts';
import { PlayersQuery, splitGroups } from './player-selection.ts';
import { Report, reportAnswer, ReportQuery, SlowFormat, slowReportAnswers } from './report.ts';
import { REPORTS } from './reports.ts';

const KeyQuery = t.Object({
  key_id: t.Optional(t.Uuid('Only events that were sent with this API key.')),
});
const operation = operationsIn('Analytics');

const counts = (description: string) => t.Array(t.Integer(), { description });

const eventMembers = {
  event_count: t.Integer('All events of the range.'),
  counts: counts('All events of each period.'),
};

export const getEventCounts = operation(REPORTS.events.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Count events by name, by day or hour',
  description: `Events by the time when they happened. The most frequent names have counts of their own, all others are counted together. Periods that have not begun are left out: they have no count yet, not zero. A range by the hour has at most ${MAX_HOURLY_REPORT_DAYS} days.`,
  query: t.Object({
    ...ReportQuery.properties,
    ...KeyQuery.properties,
    ...PlayersQuery.properties,
    format: SlowFormat,
    event_name: t.Optional(t.Name('Only events of this name.')),
    by: t.Enum(['day', 'hour'], 'Length of a period.', { default: 'day' }),
    limit: t.Integer('Number of names with counts of their own.', {
      minimum: 1,
      maximum: MAX_REPORT_EVENT_NAMES,
      default: 20,
    }),
  }),
  answers: slowReportAnswers(
    'Counts by name and period.',
    Report('EventCounts', {
      by: t.Enum(['day', 'hour'], 'Length of a period.'),
      periods: t.Array(t.String(), {
        description:
          'Periods of the range that have begun: days, such as `2026-03-01`, or the starts of hours, such as `2026-03-01T17:00:00.000Z`.',
      }),
      ...eventMembers,
      events: t.Array(
        t.Resource('EventNameCounts', {
          event_name: t.String('The name.'),
          event_count: t.Integer('Its events in the range.'),
          counts: counts('Its events of each period.'),
        }),
        { description: 'Names, the most frequent first.' },
      ),
      other_name_count: t.Integer('Number of names that are not in the list.'),
      groups: splitGroups('EventCountsGroup', eventMembers),
    }),
    {
      to: '2026-03-02',
      by: 'day',
      periods: ['2026-03-01', '2026-03-02'],
      event_count: 95,
      counts: [50, 45],
      events: [{ event_name: 'level_complete', event_count: 90, counts: [48, 42] }],
      other_name_count: 2,
      groups: [],
    },
  ),
});

const exampleKey = {
  key_id: '3f0c8a52-7a39-4c8e-9a44-2a0f5d7b1c11',
  key_name: 'Live build',
};
const keyMembers = {
  key_id: t.Uuid('Id of the API key.'),
  key_name: t.Nullable(t.String('Null when the key no longer exists.')),
};
const problemMembers = {
  warned_count: t.Integer('Events stored although they break their schema.'),
  refused_count: t.Integer(
    'Events that made a request be refused, because they were malformed or broke their schema.',
  ),
};

export const getDataQuality = operation(REPORTS['data-quality'].route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show problems with the events of each API key',
  description:
    'By the day of receipt, so that a broken build shows on its first day. Events, late events and wrong clocks are exact. Warnings, refusals and repeats are collected in memory and written every two seconds: a crash loses the last ones.',
  query: t.Object({ ...ReportQuery.properties, ...KeyQuery.properties }),
  answers: {
    200: reportAnswer(
      'Each day and API key with events, and the events that break schemas.',
      Report('DataQuality', {
        days: t.Array(
          t.Resource('DataQualityDay', {
            day: t.Day('Day of receipt.'),
            ...keyMembers,
            event_count: t.Integer('Events received.'),
            late_count: t.Integer('Events among these that had happened more than a day before.'),
            wrong_clock_count: t.Integer(
              'Events among these whose `client_timestamp` lies more than 90 days before receipt or more than an hour after it, so that the time of receipt counts instead.',
            ),
            ...problemMembers,
            repeated_count: t.Integer(
              'Events that were sent again with the `Idempotency-Key` of an earlier request, and not stored twice.',
            ),
          }),
          { description: 'Days in order, and for each day the busiest key first.' },
        ),
        schemas: t.Array(
          t.Resource('SchemaProblems', {
            event_name: t.String('Name of the event that has the schema.'),
            ...keyMembers,
            ...problemMembers,
          }),
          {
            description:
              'Events that break their schema, over the whole range, the most frequent first.',
          },
        ),
      }),
      {
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
    ),
  },
});
