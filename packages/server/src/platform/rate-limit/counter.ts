import type { Redis } from 'ioredis';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';
import { createRedisCounter } from './rate-limit-redis.ts';

const WINDOW_MS = 60_000;

/** Keeps a count for each name. A count covers one minute, which begins when the count is first raised. */
export interface Counter {
  /** Adds an amount to the count of a name. Returns a promise only if the counts are in Redis. */
  add(name: string, amount: number): WindowCount | Promise<WindowCount>;
  /** Subtracts one from the count of a name if its minute is not over. */
  takeBack(name: string): void;
}

/**
 * Makes a counter in memory for this server, or in Redis for several servers.
 * @param windows The counts in the memory that all workers of this server share.
 */
export function createCounter(windows: WindowCounts, redis: Redis | null): Counter {
  if (redis !== null) return createRedisCounter(redis, WINDOW_MS);
  return {
    add: (name, amount) => windows.add(name, amount, WINDOW_MS),
    takeBack: (name) => windows.takeBack(name, WINDOW_MS),
  };
}
