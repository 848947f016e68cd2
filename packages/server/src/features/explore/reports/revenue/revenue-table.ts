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

/** One line for each day; the days of each group follow. */
export function revenueTable({ currency, days, groups }: RevenueReport): CsvTable {
  const lines = (of: readonly Day[]) =>
    of.map((day) => [day.day, currency, ...COLUMNS.map((column) => day[column])]);
  const columns = ['day', 'currency', ...COLUMNS];
  if (groups.length === 0) return { name: 'revenue', columns, rows: lines(days) };
  return {
    name: 'revenue',
    columns: ['group', 'value', ...columns],
    rows: [{ kind: 'all', value: null, days }, ...groups].flatMap((group) =>
      lines(group.days).map((line) => [group.kind, group.value, ...line]),
    ),
  };
}

type Day = RevenueReport['days'][number];
