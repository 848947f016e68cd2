import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The share of its time that the thread that answers games was at work lately, shared by threads. */
export type SharedLoad = Float64Array<SharedArrayBuffer>;

/** Measures the load of the thread that calls it, while told to. */
export interface LoadMeter {
  readonly load: SharedLoad;
  start(): void;
  stop(): void;
}

const MEASURED_MS = 100;

export function createLoadMeter(): LoadMeter {
  const load: SharedLoad = new Float64Array(new SharedArrayBuffer(8));
  let timer: NodeJS.Timeout | undefined;
  return {
    load,
    start() {
      let last = performance.eventLoopUtilization();
      timer ??= setInterval(() => {
        const now = performance.eventLoopUtilization();
        load[0] = performance.eventLoopUtilization(now, last).utilization;
        last = now;
      }, MEASURED_MS).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      // What was so is no reason for the next job to rest.
      load[0] = 0;
    },
  };
}

/**
 * Milliseconds of rest for each at work, at full load; at half the load a quarter of it, as there is
 * room then. Whoever is awake on a processor delays all others there, of however low a priority: two
 * cores that 32 connections keep as busy as they can answered 46 % fewer requests beside a report that
 * never rests, and 3 to 15 % fewer beside one that does, in the runs that docs/performance.md tells of.
 */
const REST = 20;
/** After a statement that took long in one piece more would only delay the answer. */
const MAX_REST_MS = 1_000;
/** A shorter one is none: timers are not that exact. */
const MIN_REST_MS = 1;

/** Leaves the processor to the game server, for longer the busier that is. @throws on the signal. */
export async function restAfter(
  worked_ms: number,
  load: SharedLoad,
  signal: AbortSignal,
): Promise<void> {
  const rest_ms = Math.min(worked_ms * load[0]! ** 2 * REST, MAX_REST_MS);
  if (rest_ms < MIN_REST_MS) return;
  await sleep(rest_ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
