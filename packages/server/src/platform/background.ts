import type { BaseLogger } from 'pino';

/**
 * Housekeeping that no request waits for.
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
     * Runs `work` at this interval, never twice at a time, in the first worker of the server alone. A
     * failed run is logged, and the next run comes as usual.
     */
    every: is_first ? everyHere : () => undefined,
    /** The same in each worker, for work on its own memory. */
    everyHere,
    /** Stops the timers and waits for the runs under way. */
    async close() {
      timers.forEach((timer) => clearInterval(timer));
      await Promise.all(running);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
