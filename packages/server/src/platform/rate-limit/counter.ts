import type { Redis } from 'ioredis';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';
import { createRedisCounter } from './rate-limit-redis.ts';

const WINDOW_MS = 60_000;

/** Counts by name in minutes that begin with their first count. */
export interface Counter {
  /** Gives a promise only where the counts are in Redis. */
  add(name: string, amount: number): WindowCount | Promise<WindowCount>;
  /** Takes one back in a minute that is not over. */
  takeBack(name: string): void;
}

/**
 * Counts for this server in memory, or for several servers in Redis.
 * @param windows Counts of all workers.
 */
export function createCounter(windows: WindowCounts, redis: Redis | null): Counter {
  if (redis !== null) return createRedisCounter(redis, WINDOW_MS);
  return {
    add: (name, amount) => windows.add(name, amount, WINDOW_MS),
    takeBack: (name) => windows.takeBack(name, WINDOW_MS),
  };
}
