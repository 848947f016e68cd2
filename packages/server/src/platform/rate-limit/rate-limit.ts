import type { Config } from '../config.ts';
import { tooManyRequests } from '../errors.ts';
import { refuseLate } from '../http/admission.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';
import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * After this many refusals in a minute, each further refusal comes 0.4 to 0.8 seconds late, which slows
 * down a flood of requests. A client that waits for its next minute never notices this.
 */
const REFUSED_AT_ONCE = 100;

/** The message of the 429 error. Requests are counted in windows of a minute. */
const RETRY_MESSAGE = 'Rate limit exceeded, retry in 60 seconds';

/** The kinds of callers whose refusals are counted separately in the metrics. */
export type CountedBy = 'key' | 'token' | 'account' | 'ip' | 'player' | 'network';

type RateSettings = Pick<Config, 'rate_limit_per_minute' | 'rate_limit_ceiling'>;

/**
 * Finds the number of requests that a key may send per minute. The ceiling also limits a rate that
 * an administrator allowed before the ceiling was set.
 */
export const limitOfKey = (
  { rate_limit_per_minute, rate_limit_ceiling }: RateSettings,
  raised: number | null,
): number => Math.max(rate_limit_per_minute, Math.min(raised ?? 0, rate_limit_ceiling));

/**
 * Makes the limiter of requests per minute for each caller (`key:<id>`, `token:<id>`, `account:<id>` or
 * `ip:<network>`).
 */
export function createRateLimiter(options: {
  settings: RateSettings;
  counter: Counter;
  /** Called for each refusal, for metrics. */
  onRefused: (kind: CountedBy) => void;
}) {
  const { settings, counter, onRefused } = options;

  const decide = (
    exchange: Exchange,
    counted: WindowCount,
    max_per_minute: number,
  ): void | Promise<void> => {
    exchange.counted = counted;
    const reset_s = Math.ceil(counted.left_ms / 1_000);
    exchange.addHeader('x-ratelimit-limit', max_per_minute);
    exchange.addHeader('x-ratelimit-remaining', Math.max(0, max_per_minute - counted.count));
    exchange.addHeader('x-ratelimit-reset', reset_s);
    const refusals = counted.count - max_per_minute;
    if (refusals <= 0) return;
    const { counted_as } = exchange;
    onRefused(counted_as.slice(0, counted_as.indexOf(':')) as CountedBy);
    exchange.addHeader('retry-after', reset_s);
    if (refusals > REFUSED_AT_ONCE) return refuseLate(tooManyRequests(RETRY_MESSAGE));
    throw tooManyRequests(RETRY_MESSAGE);
  };

  return {
    /**
     * Counts the request for its caller and sets the `X-RateLimit-*` headers. Returns a promise only if the
     * count is in Redis, or the refusal is delayed.
     * @param raised The number of requests per minute to which an administrator has raised the limit of a
     * key.
     * @throws ApiError 429 when the caller has used up its requests of this minute.
     */
    count(exchange: Exchange, caller: string, raised: number | null = null): void | Promise<void> {
      exchange.counted_as = caller;
      const limit = limitOfKey(settings, raised);
      const counting = counter.add(`rate ${caller}`, 1);
      if (!(counting instanceof Promise)) return decide(exchange, counting, limit);
      return counting.then((counted) => decide(exchange, counted, limit));
    },
    /** Subtracts a request from the count of its caller, because another limit (a share) has refused it. */
    takeBack(exchange: Exchange) {
      const { counted, counted_as, began_at_ms } = exchange;
      exchange.counted = null;
      // After the minute in which the request was counted, there is nothing to take back.
      if (counted === null || performance.now() >= began_at_ms + counted.left_ms) return;
      counter.takeBack(`rate ${counted_as}`);
    },
  };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

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
