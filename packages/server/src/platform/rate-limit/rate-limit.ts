import { setTimeout as wait } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ApiError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WindowCount, WindowCounts } from '../workers/counts/window-counts.ts';
import { createRedisCounter } from './rate-limit-redis.ts';

const WINDOW_MS = 60_000;

/**
 * After this many refusals in a minute, each further refusal comes half a second late. That slows a
 * flood of requests down. A client that waits for its next minute never notices.
 */
const REFUSED_AT_ONCE = 100;
const LATE_REFUSAL_MS = 400;

/** The message of the 429; the window is a minute. */
const RETRY_MESSAGE = 'Rate limit exceeded, retry in 60 seconds';

/**
 * Counts the request for its caller and sets the `X-RateLimit-*` headers. Gives a promise only where the
 * count is in Redis, or the caller is refused late.
 * @throws ApiError 429 when the caller has used up this minute.
 */
export type LimitRate = (exchange: Exchange, caller: string) => void | Promise<void>;

/**
 * Makes the limiter of requests a minute for each caller (`key:<id>`, `account:<id>` or
 * `ip:<network>`). It counts in memory, or in Redis for several nodes.
 */
export function createRateLimiter(options: {
  max_per_minute: number;
  /** Counts of all workers. */
  windows: WindowCounts;
  redis: Redis | null;
  /** Called for each refusal, for metrics. */
  onRefused: (kind: 'key' | 'account' | 'ip') => void;
}): LimitRate {
  const { max_per_minute, windows, redis, onRefused } = options;

  const decide = (exchange: Exchange, counted: WindowCount): void | Promise<void> => {
    const reset_s = Math.ceil(counted.left_ms / 1_000);
    exchange.addHeader('x-ratelimit-limit', max_per_minute);
    exchange.addHeader('x-ratelimit-remaining', Math.max(0, max_per_minute - counted.count));
    exchange.addHeader('x-ratelimit-reset', reset_s);
    const refusals = counted.count - max_per_minute;
    if (refusals <= 0) return;
    const { counted_as } = exchange;
    onRefused(counted_as.slice(0, counted_as.indexOf(':')) as 'key' | 'account' | 'ip');
    exchange.addHeader('retry-after', reset_s);
    if (refusals > REFUSED_AT_ONCE) return refuseLate();
    throw tooManyRequests();
  };

  const countInRedis = redis && createRedisCounter(redis, WINDOW_MS);
  return (exchange, caller) => {
    exchange.counted_as = caller;
    if (countInRedis === null) return decide(exchange, windows.add(`rate ${caller}`, 1, WINDOW_MS));
    return countInRedis(caller).then((counted) => decide(exchange, counted));
  };
}

async function refuseLate(): Promise<never> {
  await wait(LATE_REFUSAL_MS * (1 + Math.random()));
  throw tooManyRequests();
}

const tooManyRequests = () =>
  new ApiError(429, 'Too Many Requests', { statusCode: 429, message: RETRY_MESSAGE });
