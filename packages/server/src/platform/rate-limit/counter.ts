import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';

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

/** Adds to a count. The window of the count begins with the first addition. */
const ADD = `
  local count = redis.call('INCRBY', KEYS[1], ARGV[2])
  local left_ms = redis.call('PTTL', KEYS[1])
  if left_ms < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    left_ms = tonumber(ARGV[1])
  end
  return { count, left_ms }`;

const TAKE_BACK = `
  if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end`;

const NAMESPACE = 'overworld-rate-limit:';
/** Longer names, such as names of players, are hashed, because callers choose them and Redis stores them. */
const MAX_NAME_LENGTH = 64;

const keyOf = (name: string): string =>
  NAMESPACE + (name.length <= MAX_NAME_LENGTH ? name : hash('sha256', name, 'base64url'));

/** Makes a counter in Redis, for several nodes. While Redis is down, nothing is counted. */
function createRedisCounter(redis: Redis, window_ms: number): Counter {
  redis.defineCommand('addToCount', { numberOfKeys: 1, lua: ADD });
  redis.defineCommand('takeBackCount', { numberOfKeys: 1, lua: TAKE_BACK });
  const commands = redis as unknown as {
    addToCount(key: string, window_ms: number, amount: number): Promise<[number, number]>;
    takeBackCount(key: string): Promise<null>;
  };
  return {
    async add(name, amount) {
      try {
        const [count, left_ms] = await commands.addToCount(keyOf(name), window_ms, amount);
        return { count, left_ms };
      } catch {
        return { count: 0, left_ms: 0 };
      }
    },
    takeBack(name) {
      commands.takeBackCount(keyOf(name)).catch(() => undefined);
    },
  };
}
