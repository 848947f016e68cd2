import { reportStopped } from '../analytics/event-conditions.ts';
import { DEFAULT_REPORT_DAYS, MAX_REPORT_DAYS } from '../analytics/limits.ts';
import { ReportQuery } from '../analytics/report.ts';
import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { eventExample, StoredEvent } from './dashboard.ts';

const operation = operationsIn('Events (dashboard)');

const { from, to } = ReportQuery.properties;

/** The maximum number of events that are counted before an export. */
export const MAX_COUNTED_EVENTS = 1_000_000;

const ExportedQuery = t.Object({
  ...EnvironmentQuery.properties,
  from,
  to,
  event_name: t.Optional(t.Name('Only events of this name.')),
  player_id: t.Optional(t.Name('Only events of this player.')),
});

export const countExportedEvents = operation('GET /v1/games/{game_id}/events/export/count', {
  access: 'developer',
  summary: 'Count the events of an export',
  description: `Tells how many events the export with the same query has, so that a client can show its progress. The count ends at ${MAX_COUNTED_EVENTS.toLocaleString('en')} events.`,
  query: ExportedQuery,
  answers: {
    200: answer(
      'The number of events.',
      t.Object({
        event_count: t.Integer('Events that are counted.'),
        is_complete: t.Boolean('False if there are more events than are counted.'),
      }),
      { event_count: 41_250, is_complete: true },
    ),
  },
});

export const exportEvents = operation('GET /v1/games/{game_id}/events/export', {
  access: 'developer',
  summary: 'Export events as a file',
  description: [
    `The events received in a range of days, in the order of receipt, as one file of any size. The range is the last ${DEFAULT_REPORT_DAYS} days when left out, and at most ${MAX_REPORT_DAYS} days. Events that are received after the request are not in the file.`,
    '`ndjson` is one JSON object a line, each as in the list of events. `csv` has the same members as columns, in the order of the first line: `properties` as JSON text, and nothing between the commas for null. An apostrophe stands wherever a spreadsheet would begin to run a formula, in ids too. `parquet` is Apache Parquet with the same columns and no such apostrophes: times in microseconds UTC, `properties` as JSON text. In all three, the numbers in properties keep the digits that were sent.',
    'If reading fails on the way, the connection is cut, so that nobody takes the file for complete.',
  ].join('\n\n'),
  query: t.Object({
    ...ExportedQuery.properties,
    format: t.Enum(['ndjson', 'csv', 'parquet'], 'Form of the file.', { default: 'ndjson' }),
  }),
  answers: {
    200: {
      description: 'The file; the schema describes a line of `ndjson`.',
      text_type: 'application/x-ndjson',
      media_types: ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'],
      body: StoredEvent,
      example: eventExample,
    },
    503: reportStopped,
  },
});
