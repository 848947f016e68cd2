import { writeCsv } from '@overworld/contract/csv';
import type { CsvCell } from '@overworld/contract/csv';
import { Download } from '../http/implement.ts';

/** A report as a table, for CSV. */
export interface CsvTable {
  /** Name of the file without its ending: letters, digits, `-` and `_`. */
  name: string;
  columns: readonly string[];
  rows: Iterable<readonly CsvCell[]>;
}

/** A table with one line for each row and one column for each of these members. */
export const tableOf = <Column extends string>(
  name: string,
  columns: readonly Column[],
  rows: readonly { [C in Column]: CsvCell }[],
): CsvTable => ({ name, columns, rows: rows.map((row) => columns.map((column) => row[column])) });

/**
 * Answers a report in the format that the query asks for: JSON, or a CSV file.
 * @param makeTable Called for CSV only.
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
