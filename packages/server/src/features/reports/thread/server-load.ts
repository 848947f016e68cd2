import { performance } from 'node:perf_hooks';
import { restAfter } from '../../../platform/rest.ts';
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts';

/**
 * For each thread that answers games, the share of recent time for which it was busy. All threads share this
 * memory.
 */
export type SharedLoad = Float64Array<SharedArrayBuffer>;

const MEASURED_MS = 100;

/**
 * Measures the load of the calling thread between `start` and `stop`. If there are several workers, each
 * worker measures all the time, because one worker runs the jobs of all, and needs the load of all.
 */
export function createLoadMeter({ loads, worker, workers }: WorkerPool) {
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    let last = performance.eventLoopUtilization();
    timer ??= setInterval(() => {
      const now = performance.eventLoopUtilization();
      loads[worker] = performance.eventLoopUtilization(now, last).utilization;
      last = now;
    }, MEASURED_MS).unref();
  };
  if (workers > 1) start();
  return {
    load: loads,
    start,
    stop() {
      if (workers > 1) return;
      clearInterval(timer);
      timer = undefined;
      // Without this, the next job would rest because of an old load.
      loads[worker] = 0;
    },
  };
}

/**
 * Milliseconds of rest for each millisecond of work at full load. At half the load, the rest
 * is a quarter of this. Rests are needed, because a busy thread delays all others on its
 * core, however low its priority is. In a measurement, 32 connections kept a server on two
 * cores as busy as they could. The server answered 46 % fewer requests while a report ran
 * without rests, and 3 to 15 % fewer while a report ran with rests (see docs/performance.md).
 */
const REST = 20;
/** The longest rest. After a long statement, a longer rest would only delay the report. */
const MAX_REST_MS = 1_000;

/**
 * Rests after some work, to leave the processor to the game
 * server. The busier the game server is, the longer is the rest.
 * @throws the reason of the signal when the signal is aborted.
 */
export async function restByLoad(
  worked_ms: number,
  load: SharedLoad,
  signal: AbortSignal,
): Promise<void> {
  const times = Math.max(...load) ** 2 * REST;
  // A timer waits for a millisecond at least, which would slow down the reports of an idle server.
  if (worked_ms * times < 1) return;
  await restAfter(worked_ms, { times, max_ms: MAX_REST_MS, signal });
  signal.throwIfAborted();
}
