import { Download } from '../../platform/http/implement.ts';

/** What a cell may hold; null is an empty cell. */
export type CsvCell = string | number | boolean | null;

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

/** CSV as RFC 4180 has it: lines end in CRLF, the first holds the names of columns. */
export function writeCsv({ columns, rows }: Omit<CsvTable, 'name'>): string {
  let text = writeCsvLine(columns);
  for (const row of rows) text += writeCsvLine(row);
  return text;
}

export const writeCsvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map(writeCell).join(',')}\r\n`;

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = neutralise(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run a text that starts like a formula, and names of events and players are what
 * anybody sends. An apostrophe before it keeps it a text. Numbers are written as they are.
 */
const neutralise = (text: string): string =>
  /^[\s]*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
