import type { CsvCell } from '@overworld/contract/csv';
import type { CsvTable } from '../../../platform/reports/csv-report.ts';

interface GroupPart {
  kind: string;
  value: string | null;
}

/**
 * The table of a report and, below it, the lines of its groups. A report without groups has no
 * columns for them.
 */
export function withGroups<R extends { groups: readonly GroupPart[] }>(
  report: R,
  makeTable: (report: R) => CsvTable,
): CsvTable {
  const table = makeTable(report);
  const { groups } = report;
  if (groups.length === 0) return table;
  const label = ({ rows }: CsvTable, { kind, value }: GroupPart): CsvCell[][] =>
    [...rows].map((row) => [
      kind,
      value,
      ...table.columns.map((_column, place) => row[place] ?? null),
    ]);
  return {
    ...table,
    columns: ['group', 'value', ...table.columns],
    rows: [
      ...label(table, { kind: 'all', value: null }),
      ...groups.flatMap((group) => label(makeTable({ ...report, ...group, events: [] }), group)),
    ],
  };
}
