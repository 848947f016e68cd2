import { writeCsv } from '@overworld/contract/csv';
import type { CsvCell } from '@overworld/contract/csv';
import { Download } from '../http/download.ts';

/** A report as a table, for CSV. */
export interface CsvTable {
  /** The name of the file without its extension, made of letters, digits, `-` and `_`. */
  name: string;
  columns: readonly string[];
  rows: Iterable<readonly CsvCell[]>;
}

/** Makes a table with one line for each row and one column for each member in `columns`. */
export const tableOf = <Column extends string>(
  name: string,
  columns: readonly Column[],
  rows: readonly { [C in Column]: CsvCell }[],
): CsvTable => ({ name, columns, rows: rows.map((row) => columns.map((column) => row[column])) });

/**
 * Answers a report in the format that the query requests: JSON, or a CSV file.
 * @param makeTable Called only for CSV.
 */
export function answerReport<R>(
  { format }: { format: string },
  report: R,
  makeTable: (report: R) => CsvTable,
): R | Download {
  if (format !== 'csv') return report;
  const table = makeTable(report);
  return new Download('text/csv; charset=utf-8', `${table.name}.csv`, writeCsv(table));
}

export interface GroupPart {
  kind: string;
  value: string | null;
}

/** The label of the lines that stand for all groups together. */
export const ALL_LABEL: GroupPart = { kind: 'all', value: null };

/**
 * Makes the table of a report and, below it, the lines of its groups. The table of a report without groups
 * has no columns for groups.
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
      ...label(table, ALL_LABEL),
      ...groups.flatMap((group) => label(makeTable({ ...report, ...group, events: [] }), group)),
    ],
  };
}
