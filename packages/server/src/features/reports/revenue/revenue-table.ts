import { tableOf, withGroups } from '../../../platform/reports/csv-report.ts';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';
import type { RevenueReport } from './revenue.ts';

const COLUMNS = [
  'revenue',
  'refunded',
  'purchase_count',
  'refund_count',
  'payers',
  'active_players',
  'arpdau',
  'arppu',
  'paying_share',
] as const;

/** Makes a table with a line for each day, followed by the days of each group. */
export const revenueTable = (report: RevenueReport): CsvTable =>
  withGroups(report, ({ currency, days }) =>
    tableOf(
      'revenue',
      ['day', 'currency', ...COLUMNS],
      days.map((day) => ({ ...day, currency })),
    ),
  );
