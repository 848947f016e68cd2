/** A cell of a table; null is an empty cell. */
export type CsvCell = string | number | boolean | null;

/** Writes CSV by RFC 4180: lines end in CRLF, and the first line holds the names of the columns. */
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
 * Matches the places where a text needs an apostrophe. Spreadsheets run a text that begins like
 * a formula, and anybody can choose the names of events and players. With an apostrophe before
 * it, such a text stays a text. Numbers get no apostrophe. In many countries, spreadsheets
 * separate cells by semicolons or tabs, so a cell can also begin at such a character inside a
 * text, even within quotation marks. The expression looks at each character at most twice.
 */
const FORMULA_START =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=(?:(?![\t\r\n])[\s\p{C}"])*[=+\-@＝＋－＠﹦﹢﹣﹫])/gu;
