const BAR_WIDTH = 24;
const TERMINAL_INTERVAL_MS = 100;
const LOG_INTERVAL_MS = 5_000;

/** Shows progress: in a terminal as a bar that is redrawn, elsewhere as a line every five seconds. */
export function showProgress(output: NodeJS.WriteStream = process.stderr) {
  const terminal = output.isTTY;
  let shownAt = -Infinity;
  return {
    /** @param share The finished part, 0 to 1; null when the total is not known. */
    update(share: number | null, text: string) {
      const now = performance.now();
      if (now - shownAt < (terminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS)) return;
      shownAt = now;
      output.write(
        terminal ? `\r\x1b[K${drawBar(share)}${text}` : `${drawPercent(share)}${text}\n`,
      );
    },
    /** Writes the last text of the progress, and ends the line. */
    done(text: string) {
      output.write(terminal ? `\r\x1b[K${text}\n` : `${text}\n`);
    },
  };
}

export type Progress = ReturnType<typeof showProgress>;

function drawBar(share: number | null): string {
  if (share === null) return '';
  const filled = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${drawPercent(share)}`;
}

function drawPercent(share: number | null): string {
  return share === null ? '' : `${String(Math.floor(Math.min(1, share) * 100)).padStart(3)}%  `;
}

/** Writes `1234567` as `1,234,567`. */
export const groupDigits = (count: number): string => count.toLocaleString('en-US');

/** Writes a number of rows, such as `1 row` or `1,234,567 rows`. */
export const countRows = (count: number): string =>
  `${groupDigits(count)} ${count === 1 ? 'row' : 'rows'}`;
