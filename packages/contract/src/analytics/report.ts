import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import type { TProperties, TSchema } from 'typebox';
import { t } from '../schema.ts';
import { reportStopped } from './event-conditions.ts';
import { DEFAULT_REPORT_DAYS, MAX_REPORT_DAYS } from './limits.ts';

/** Query of an operation that can also answer CSV. */
const FormatQuery = t.Object({
  format: t.Enum(
    ['json', 'csv'],
    '`csv` answers a file of comma-separated values instead of JSON, in UTF-8 and with the names of the columns in the first line. Texts that a spreadsheet would run as a formula begin with an apostrophe.',
    { default: 'json' },
  ),
});

/** Query of a report without dates. */
export const SnapshotQuery = t.Object({
  ...EnvironmentQuery.properties,
  ...FormatQuery.properties,
});

/** Format of a report that may take seconds. */
export const SlowFormat = t.Enum(
  ['json', 'csv', 'progress'],
  '`csv` answers a file of comma-separated values instead of JSON, in UTF-8 and with the names of the columns in the first line. Texts that a spreadsheet would run as a formula begin with an apostrophe. `progress` answers lines of JSON while the report is made: `{"progress":{"state":"reading","share":0.4,"seconds_left":3}}`, at last `{"report":…}` with the JSON answer, or `{"status":503,"error":"…"}`. `state` is `waiting` while other reports are made first; `share` is the part of the work that is done, and `seconds_left` null while it is unknown.',
  { default: 'json' },
);

/** Query of a report over a range of days. */
export const ReportQuery = t.Object({
  ...SnapshotQuery.properties,
  from: t.Optional(
    t.Day(
      `First day, in the time zone of the game, such as \`2026-03-01\`; ${DEFAULT_REPORT_DAYS - 1} days before \`to\` when left out.`,
    ),
  ),
  to: t.Optional(
    t.Day(`Last day, included; today when left out. A range has at most ${MAX_REPORT_DAYS} days.`),
  ),
});

/** The range of days of a report, as members of its answer. */
export const ReportRange = {
  from: t.Day('First day of the report.'),
  to: t.Day('Last day of the report, included.'),
  time_zone: t.String('Time zone of the game, in which its days begin and end.'),
};

/** Makes the successful answer of a report: JSON, or CSV if the query asks for CSV. */
export const reportAnswer = <B extends TSchema>(
  description: string,
  body: B,
  example: unknown,
) => ({
  ...answer(description, body, example),
  media_types: ['text/csv'],
});

const exampleRange = { from: '2026-03-01', to: '2026-03-30', time_zone: 'Europe/Berlin' };

/**
 * Makes the successful answer of a report over a range of days that may take seconds:
 * JSON, CSV, or lines with the progress.
 * @param example The members of the example, except the range. The range may be given too, to replace it.
 */
export const slowReportAnswer = <B extends TSchema>(
  description: string,
  body: B,
  example: object,
) => ({
  ...answer(description, body, { ...exampleRange, ...example }),
  media_types: ['text/csv', 'application/x-ndjson'],
});

/**
 * Makes all answers of a report that may take seconds: the success, and the
 * error when the report was stopped.
 */
export const slowReportAnswers = <B extends TSchema>(
  description: string,
  body: B,
  example: object,
) => ({ 200: slowReportAnswer(description, body, example), 503: reportStopped });

/** A quotient, such as a share of 0.25; null if there is nothing to divide by. */
export const Share = (description: string) => t.Union([t.Number(), t.Null()], { description });

/** The answer of a report over a range of days. */
export const Report = <P extends TProperties>(title: string, properties: P) =>
  t.Resource(title, { ...ReportRange, ...properties });
