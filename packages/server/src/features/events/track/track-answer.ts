import type { trackEvents } from '@overworld/contract/events/track';
import type { SuccessOf } from '@overworld/contract/operation';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import type {
  FirstAnswer,
  Idempotency,
  IncomingRequest,
  StoredRequest,
} from '../inbox/incoming-requests.ts';

/** The answer to events that were stored. */
export type TrackAnswer = SuccessOf<typeof trackEvents>;

/**
 * The answer to a request, and the part of the request that was stored. `stored` is null if this request
 * repeats an earlier request.
 */
export interface Outcome {
  answer: TrackAnswer | ApiError;
  stored: StoredRequest | null;
}

/** Makes the outcome of a request that was not a repetition. */
export function toOutcome({ warnings }: IncomingRequest, stored: StoredRequest): Outcome {
  const { received, used, quota } = stored;
  if (received === 0) return { answer: quotaExceeded(used, quota), stored };
  const answer = { received, quota: { remaining: Math.max(0, quota - used), limit: quota } };
  return { answer: showWarnings({ ...answer, warnings: [...warnings] }), stored };
}

/**
 * Makes the answer to a request with a known idempotency key. It is the answer to the first request with this
 * key, or the error 400 if the first request had another body.
 */
export const repeatAnswer = (
  first: FirstAnswer,
  { body_hash }: Idempotency,
): TrackAnswer | ApiError =>
  first.body_hash === body_hash
    ? showWarnings(JSON.parse(first.answer) as TrackAnswer)
    : badRequest('Idempotency-Key was already used with another body');

/** Leaves out the warnings about events that were not stored. */
function showWarnings({ warnings = [], ...answer }: TrackAnswer): TrackAnswer {
  const shown = warnings.filter(({ index }) => index < answer.received);
  return shown.length > 0 ? { ...answer, warnings: shown } : answer;
}

const QUOTA_EXCEEDED = 'Monthly event quota exceeded';

export const quotaExceeded = (current: number, limit: number) =>
  new ApiError(429, QUOTA_EXCEEDED, { quota: { current, limit, remaining: 0 } });

/** The error 429 for an environment that has used up its share of the quota. */
export function shareExceeded({ environment, environment_quota }: KeyCaller, used: number) {
  const limit = environment_quota!;
  const message = `Keys of ${environment} may use ${limit} events of the game's monthly quota, and have used them`;
  return new ApiError(429, QUOTA_EXCEEDED, {
    message,
    quota: { current: used, limit, remaining: 0 },
  });
}
