import type { EventViolation, trackEvents } from '@overworld/contract/events/track';
import type { SuccessOf } from '@overworld/contract/operation';
import { ApiError } from '../../../platform/errors.ts';
import type { IncomingRequest, StoredRequest } from '../inbox/inbox-store.ts';

/** A valid request to store events. */
export interface WriteRequest extends IncomingRequest {
  /** Problems that schema validation found; the answer lists them. */
  warnings: readonly EventViolation[];
  /** A request with a key is stored once, however often it is sent. */
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

/** The answer to a request and the stored part of it; null when an earlier request stored it. */
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
