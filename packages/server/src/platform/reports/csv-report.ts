import { writeCsv } from '@overworld/contract/csv';
import type { CsvCell } from '@overworld/contract/csv';
import { Download } from '../http/implement.ts';

/** A report as a table, for CSV. */
export interface CsvTable {
  /** Of the file, without its ending: letters, digits, `-` and `_`. */
  name: string;
  columns: readonly string[];
  rows: Iterable<readonly CsvCell[]>;
}

/**
 * Answers a report as its query asks for it: itself, which goes out as JSON, or as a CSV file.
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
