/** Statements that run at once, so that one is read while the other is counted. */
const READERS = 2;

/** Readers that share the work of a scan. */
interface Readers {
  /** Stops the statements of all readers. */
  readonly stopped: AbortSignal;
  /** Stops all readers because of an error, which `run` then throws. */
  fail(error: Error): void;
  /** Each reader takes parts of the work until none is left. When one fails, the others stop. */
  run(readAll: () => Promise<void>): Promise<void>;
}

export function createReaders(signal: AbortSignal): Readers {
  const failed = new AbortController();
  return {
    stopped: AbortSignal.any([signal, failed.signal]),
    fail: (error) => failed.abort(error),
    async run(readAll) {
      const readers = Array.from({ length: READERS }, () =>
        readAll().catch((error: unknown) => failed.abort(error)),
      );
      await Promise.all(readers);
      failed.signal.throwIfAborted();
    },
  };
}
