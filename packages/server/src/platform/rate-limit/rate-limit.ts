import type { Config } from '../config.ts';
import { tooManyRequests } from '../errors.ts';
import { refuseLate } from '../http/admission.ts';
import type { Exchange } from '../http/exchange.ts';
import type { WindowCount } from '../workers/counts/window-counts.ts';
import type { Counter } from './counter.ts';

/**
 * After this many refusals in a minute, each further refusal comes 0.4 to 0.8 seconds late, which slows
 * down a flood of requests. A client that waits for its next minute never notices this.
 */
const REFUSED_AT_ONCE = 100;

/** The message of the 429 error. Requests are counted in windows of a minute. */
const RETRY_MESSAGE = 'Rate limit exceeded, retry in 60 seconds';

/** The kinds of callers whose refusals are counted separately in the metrics. */
export type CountedBy = 'key' | 'account' | 'ip' | 'player' | 'network';

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
 * Makes the limiter of requests per minute for each caller (`key:<id>`, `account:<id>` or `ip:<network>`).
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
