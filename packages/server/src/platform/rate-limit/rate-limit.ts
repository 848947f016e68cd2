import { setTimeout as wait } from 'node:timers/promises';
import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { ApiError } from '../errors.ts';
import type { WindowCounts } from '../workers/counts/window-counts.ts';

/**
 * After this many refusals in a minute, each further refusal comes half a second late. That slows down a
 * flood of requests, and costs a client that waits nothing.
 */
const REFUSED_AT_ONCE = 100;
const LATE_REFUSAL_MS = 400;

/** The message of the 429; the window is a minute. */
const RETRY_MESSAGE = 'Rate limit exceeded, retry in 60 seconds';

/**
 * Counts the request for its caller and sets the `X-RateLimit-*` headers.
 * @throws ApiError 429 when the caller has used up this minute.
 */
export type LimitRate = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: string,
) => Promise<void>;

/**
 * Makes the limiter of requests a minute for each caller (`key:<id>`, `account:<id>` or
 * `ip:<network>`). It counts in memory, or in Redis for several nodes.
 */
export async function createRateLimiter(
  app: FastifyInstance,
  options: {
    max_per_minute: number;
    /** Counts of all workers. */
    windows: WindowCounts;
    redis: Redis | null;
    /** Called for each refusal, for metrics. */
    onRefused: (kind: 'key' | 'account' | 'ip') => void;
  },
): Promise<LimitRate> {
  app.decorateRequest('rateLimitCaller', '');
  await app.register(rateLimitPlugin, {
    global: false,
    max: options.max_per_minute,
    ban: REFUSED_AT_ONCE,
    timeWindow: 60_000,
    // While Redis is away, requests are answered and not counted.
    skipOnError: true,
    nameSpace: 'overworld-rate-limit:',
    ...(options.redis ? { redis: options.redis } : { store: countIn(options.windows) }),
    keyGenerator: (request) => request.rateLimitCaller,
  });
  const count = app.createRateLimit();

  return async (request, reply, caller) => {
    request.rateLimitCaller = caller;
    const counted = await count(request);
    if (counted.isAllowed) return;
    reply.header('X-RateLimit-Limit', counted.max);
    reply.header('X-RateLimit-Remaining', counted.remaining);
    reply.header('X-RateLimit-Reset', counted.ttlInSeconds);
    if (!counted.isExceeded) return;
    options.onRefused(caller.slice(0, caller.indexOf(':')) as 'key' | 'account' | 'ip');
    if (counted.isBanned) await wait(LATE_REFUSAL_MS * (1 + Math.random()));
    reply.header('Retry-After', counted.ttlInSeconds);
    throw new ApiError(429, 'Too Many Requests', { statusCode: 429, message: RETRY_MESSAGE });
  };
}

/** The plugin's own store would hand out an object that later requests change too. */
const countIn = (windows: WindowCounts) =>
  class {
    incr(
      caller: string,
      callback: (error: Error | null, counted: { current: number; ttl: number }) => void,
      window_ms: number,
    ): void {
      const { count, left_ms } = windows.add(`rate ${caller}`, 1, window_ms);
      callback(null, { current: count, ttl: left_ms });
    }

    /** The plugin asks for a store for each route; this one counts all routes together. */
    child(): this {
      return this;
    }
  };

declare module 'fastify' {
  interface FastifyRequest {
    rateLimitCaller: string;
  }
}
