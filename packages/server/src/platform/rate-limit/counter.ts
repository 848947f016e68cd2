import type { Redis } from 'ioredis';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';
import { createRedisCounter } from './rate-limit-redis.ts';

const WINDOW_MS = 60_000;

/** A counter for each name. The minute of a name begins with its first count. */
export interface Counter {
  /** Adds to a count. Returns a promise only if the counts are in Redis. */
  add(name: string, amount: number): WindowCount | Promise<WindowCount>;
  /** Subtracts one from a count whose minute is not over. */
  takeBack(name: string): void;
}

/**
 * Makes a counter in memory for this server, or in Redis for several servers.
 * @param windows The counts in memory, which all workers share.
 */
export function createCounter(windows: WindowCounts, redis: Redis | null): Counter {
  if (redis !== null) return createRedisCounter(redis, WINDOW_MS);
  return {
    add: (name, amount) => windows.add(name, amount, WINDOW_MS),
    takeBack: (name) => windows.takeBack(name, WINDOW_MS),
  };
}
