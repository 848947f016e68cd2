/**
 * The number of statements that run at the same time, so that the
 * rows of one statement are counted while those of the other arrive.
 */
const READERS = 2;

/** Makes readers that share the work of a scan. */
export function createReaders(signal: AbortSignal) {
  const failed = new AbortController();
  return {
    /** Stops the statements of all readers. */
    stopped: AbortSignal.any([signal, failed.signal]),
    /** Stops all readers because of an error, which `run` then throws. */
    fail: (error: Error) => failed.abort(error),
    /**
     * Runs `readAll` in each reader, which takes parts of the
     * work until none is left. When one fails, the others stop.
     */
    async run(readAll: () => Promise<void>) {
      const readers = Array.from({ length: READERS }, () =>
        readAll().catch((error: unknown) => failed.abort(error)),
      );
      await Promise.all(readers);
      failed.signal.throwIfAborted();
    },
  };
}
