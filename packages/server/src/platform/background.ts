import type { BaseLogger } from 'pino';

/**
 * Makes a runner of housekeeping tasks for which no request waits.
 * @param onFailure Called for each failed run, for metrics.
 */
export function createBackground(
  logger: BaseLogger,
  onFailure: (name: string) => void,
  { is_first }: { is_first: boolean },
) {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const everyHere = (interval_ms: number, name: string, work: () => Promise<void>) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      const run = work()
        .catch((error: unknown) => {
          logger.error({ err: error }, `${name} failed`);
          onFailure(name);
        })
        .finally(() => {
          busy = false;
          running.delete(run);
        });
      running.add(run);
    }, interval_ms);
    timers.add(timer.unref());
  };
  return {
    /**
     * Runs `work` at this interval, never twice at the same time, and only in the first worker of the server.
     * A failed run is logged, and the next run comes as usual.
     */
    every: is_first ? everyHere : () => undefined,
    /** The same as `every`, but in each worker, for work on the worker's own memory. */
    everyHere,
    /** Stops the timers and waits for the runs under way. */
    async close() {
      timers.forEach((timer) => clearInterval(timer));
      await Promise.all(running);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
