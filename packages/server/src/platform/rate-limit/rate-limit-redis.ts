import type { Redis } from 'ioredis';
import type { WindowCount } from '../workers/counts/window-counts.ts';

/** Counts a request, and starts a window with the first one. */
const COUNT = `
  local requests = redis.call('INCR', KEYS[1])
  if requests == 1 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    return { requests, tonumber(ARGV[1]) }
  end
  return { requests, redis.call('PTTL', KEYS[1]) }`;

const NAMESPACE = 'overworld-rate-limit:';

/** Counts requests in Redis, for several nodes. While Redis is away, requests are not counted. */
export function createRedisCounter(
  redis: Redis,
  window_ms: number,
): (caller: string) => Promise<WindowCount> {
  redis.defineCommand('countRequest', { numberOfKeys: 1, lua: COUNT });
  const { countRequest } = redis as unknown as {
    countRequest(this: Redis, key: string, window_ms: number): Promise<[number, number]>;
  };
  return async (caller) => {
    try {
      const [count, left_ms] = await countRequest.call(redis, NAMESPACE + caller, window_ms);
      return { count, left_ms };
    } catch {
      return { count: 0, left_ms: 0 };
    }
  };
}
