import type { EventViolation, trackEvents } from '@overworld/contract/events/track';
import type { SuccessOf } from '@overworld/contract/operation';
import { ApiError } from '../../../platform/errors.ts';
import type { IncomingRequest, StoredRequest } from '../inbox/inbox-store.ts';

/** A valid request to store events. */
export interface WriteRequest extends IncomingRequest {
  /** Of schema validation; they become part of the answer. */
  warnings: readonly EventViolation[];
  /** With it, the request is stored once however often it is sent. */
  idempotency: Idempotency | null;
}

export interface Idempotency {
  /** SHA-256 of the `Idempotency-Key`, hexadecimal. */
  key: string;
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
}

/** The answer to events that were stored. */
export type TrackAnswer = SuccessOf<typeof trackEvents>;

/** What a request is answered, and what was stored for it; null where nothing had to be. */
export interface Outcome {
  answer: TrackAnswer | ApiError;
  stored: StoredRequest | null;
}

export function toOutcome({ warnings }: WriteRequest, stored: StoredRequest): Outcome {
  const { received, used, quota } = stored;
  if (received === 0) return { answer: quotaExceeded(used, quota), stored };
  const shown = warnings.filter(({ index }) => index < received);
  const answer = { received, quota: { remaining: Math.max(0, quota - used), limit: quota } };
  return { answer: shown.length > 0 ? { ...answer, warnings: shown } : answer, stored };
}

export const quotaExceeded = (current: number, limit: number) =>
  new ApiError(429, 'Monthly event quota exceeded', { quota: { current, limit, remaining: 0 } });
