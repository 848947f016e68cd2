/** The work of a report, in rows that it will read and has read. */
export interface WorkProgress {
  /**
   * Announces rows, as soon as their number is known.
   * @param part Names the rows. The first number of a part counts.
   */
  expect(part: string, rows: number): void;
  /** The rows that were announced for a part; null for none. */
  expected(part: string): number | null;
  /** Notes rows that have been read. */
  add(rows: number): void;
}

/** The time between two messages. */
const INTERVAL_MS = 250;

/** Work that nobody watches. */
export const UNWATCHED: WorkProgress = { expect() {}, expected: () => null, add() {} };

/**
 * Adds up work.
 * @param onShare Called with the share of the work that is done, 0 to 1. It never falls, even when
 * more rows are announced.
 */
export function createWorkProgress(onShare: (share: number) => void): WorkProgress {
  const parts = new Map<string, number>();
  let total = 0;
  let done = 0;
  let told = 0;
  let told_ms = 0;
  return {
    expect(part, rows) {
      if (parts.has(part)) return;
      parts.set(part, rows);
      total += rows;
    },
    expected: (part) => parts.get(part) ?? null,
    add(rows) {
      done += rows;
      const now_ms = performance.now();
      if (now_ms - told_ms < INTERVAL_MS || total === 0) return;
      told_ms = now_ms;
      told = Math.max(told, Math.min(1, done / total));
      onShare(told);
    },
  };
}
