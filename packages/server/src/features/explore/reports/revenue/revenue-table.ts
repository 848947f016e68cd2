import type { CsvTable } from '../../../../platform/reports/csv-report.ts';
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

/** One line for each day. */
export const revenueTable = ({ currency, days }: RevenueReport): CsvTable => ({
  name: 'revenue',
  columns: ['day', 'currency', ...COLUMNS],
  rows: days.map((day) => [day.day, currency, ...COLUMNS.map((column) => day[column])]),
});
