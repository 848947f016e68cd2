/** A cell of a table; null is an empty one. */
export type CsvCell = string | number | boolean | null;

/** CSV as RFC 4180 has it: lines end in CRLF, the first holds the names of columns. */
export function writeCsv(table: {
  columns: readonly string[];
  rows: Iterable<readonly CsvCell[]>;
}): string {
  let text = writeCsvLine(table.columns);
  for (const row of table.rows) text += writeCsvLine(row);
  return text;
}

export const writeCsvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map(writeCell).join(',')}\r\n`;

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replaceAll(FORMULA_START, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run a text that starts like a formula, and names of events and players are what
 * anybody sends. An apostrophe before it keeps it a text; numbers are written as they are. Where a
 * spreadsheet separates by semicolons or tabs, which is the habit of many countries, a cell may also
 * begin inside of a text, behind quotation marks too. Each character is looked at twice at most.
 */
const FORMULA_START =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;
