/** Counts the rows that a report has to read and those that it has read already. */
export interface WorkProgress {
  /**
   * Announces how many rows will be read. Call this as soon as the number is known.
   * @param part A name for these rows. If a part is announced again, only the first number counts.
   */
  expect(part: string, rows: number): void;
  /** Returns the number of rows that were announced for a part; null if none were announced. */
  expected(part: string): number | null;
  /** Adds to the number of rows that have been read. */
  add(rows: number): void;
}

/** The minimum time between two calls of `onShare`. */
const INTERVAL_MS = 250;

/** The progress of work that nobody watches. It counts nothing. */
export const UNWATCHED: WorkProgress = { expect() {}, expected: () => null, add() {} };

/**
 * Computes the share of a report's work that is done.
 * @param onShare Called with the share of the work that is done, 0 to 1. The share never falls, even when
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
