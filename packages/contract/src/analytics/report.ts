import { MAX_REPORT_DAYS, DEFAULT_REPORT_DAYS } from './limits.ts';
import { Type } from 'typebox';
import type { Answer } from '../operation.ts';
import { EnvironmentQuery, merge, Resource } from '../common.ts';

/** What all reports of analytics share. */

/** Heading of the reports in the API reference. */
export const ANALYTICS_GROUP = 'Analytics';

/** A calendar day in the time zone of the game. */
export const Day = (description: string) => Type.String({ format: 'date', description });

/** Query of everything that can also be had as CSV. */
export const FormatQuery = Type.Object({
  format: Type.Enum(['json', 'csv'], {
    default: 'json',
    description:
      '`csv` answers a file of comma-separated values (UTF-8, first line the names of columns) instead of JSON. Texts that a spreadsheet would run as a formula have an apostrophe before them.',
  }),
});

/** Query of a report without dates. */
export const SnapshotQuery = merge(EnvironmentQuery, FormatQuery);

/** Query of a report over a range of days. */
export const ReportQuery = merge(
  SnapshotQuery,
  Type.Object({
    from: Type.Optional(
      Day(
        `First day, in the time zone of the game, such as \`2026-03-01\`; ${DEFAULT_REPORT_DAYS - 1} days before \`to\` when left out.`,
      ),
    ),
    to: Type.Optional(
      Day(`Last day, included; today when left out. A range has at most ${MAX_REPORT_DAYS} days.`),
    ),
  }),
);

/** The range of days that a report is about, as members of its answer. */
export const ReportRange = {
  from: Day('First day of the report.'),
  to: Day('Last day of the report, included.'),
  time_zone: Type.String({
    description: 'Time zone of the game, in which its days begin and end.',
  }),
};

/** The success of a report: JSON, or CSV where the query asks for it. */
export const reportAnswer = <const A extends Answer>(answer: A) => ({
  ...answer,
  media_types: ['text/csv'],
});

/** Share of something, such as 0.25; null where there is nothing to divide by. */
export const Share = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description });

/** A resource of analytics with the range of days that it is about. */
export const Report = <P extends Parameters<typeof Resource>[1]>(title: string, properties: P) =>
  Resource(title, { ...ReportRange, ...properties });
