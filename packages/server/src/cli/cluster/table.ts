const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Writes `1234567` as `1.2 MB`, and null as `?`. */
export function writeBytes(bytes: number | null): string {
  if (bytes === null) return '?';
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 || size >= 9.95 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Draws a table as lines of text. Columns of numbers, sizes and `?` are aligned to the right. */
export function drawTable(titles: string[], rows: string[][]): string {
  const columns = titles.map((title, index) => {
    const cells = rows.map((row) => row[index]!);
    const isNumeric = cells.every((cell) => /^(\?|[\d.,]+( (bytes|[kMGT]?B))?)$/.test(cell));
    const width = Math.max(title.length, ...cells.map((cell) => cell.length));
    return [title, ...cells].map((cell) =>
      isNumeric && cells.length > 0 ? cell.padStart(width) : cell.padEnd(width),
    );
  });
  return columns[0]!
    .map((_, line) =>
      columns
        .map((column) => column[line]!)
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
