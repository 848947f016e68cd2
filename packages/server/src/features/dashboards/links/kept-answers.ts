/**
 * The minimum time for which an answer is cached. Without it, readers of shared links could make the server
 * compute the same report again and again.
 */
const KEPT_MS = 60_000;
/**
 * An answer is also cached for at least this many times as long as the server needed to make it. So the
 * server spends at most a twentieth of its time on making a report.
 */
const TIMES_ITS_MAKING = 20;
/** The maximum size of all cached answers; the oldest answers are dropped first. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Kept {
  answer: Promise<string>;
  bytes: number;
  /** The time at which the answer is dropped. It is infinity while the answer is still being made. */
  until_ms: number;
}

export function createKeptAnswers(
  now: () => number = () => performance.now(),
  max_bytes = MAX_BYTES,
) {
  const kept = new Map<string, Kept>();
  let bytes = 0;

  const drop = (key: string, entry: Kept) => {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    bytes -= entry.bytes;
  };

  const dropOld = () => {
    for (const [key, entry] of kept) {
      if (entry.until_ms <= now()) drop(key, entry);
      else if (bytes > max_bytes && entry.until_ms < Infinity) drop(key, entry);
    }
  };

  const start = (key: string, make: () => Promise<string>): Promise<string> => {
    const began_ms = now();
    const entry: Kept = { answer: make(), bytes: key.length, until_ms: Infinity };
    kept.set(key, entry);
    bytes += entry.bytes;
    const end = (size: number, for_ms: number) => {
      entry.bytes += size;
      bytes += size;
      entry.until_ms = now() + for_ms;
      dropOld();
    };
    entry.answer.then(
      (text) => end(text.length, Math.max(KEPT_MS, (now() - began_ms) * TIMES_ITS_MAKING)),
      () => end(0, KEPT_MS),
    );
    return entry.answer;
  };

  return {
    /** Returns the cached answer, or a new one. A failure is cached for a minute too. */
    get(key: string, make: () => Promise<string>): Promise<string> {
      dropOld();
      return kept.get(key)?.answer ?? start(key, make);
    },
  };
}

/**
 * A cache of answers in this process, by key. Callers who request the same answer at the same time share it.
 */
export type KeptAnswers = ReturnType<typeof createKeptAnswers>;
