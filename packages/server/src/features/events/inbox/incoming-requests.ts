import type { EventViolation } from '@overworld/contract/events/track';
import type { KeyCaller } from '../../../platform/auth/api-keys.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';

export interface IncomingRequest {
  caller: KeyCaller;
  event_count: number;
  /** The events as one JSON list. */
  text: string;
  /** Problems that schema validation found; the answer lists only the problems of stored events. */
  warnings: readonly EventViolation[];
  /** The events, for samples; empty if there are no warnings. */
  warned: readonly unknown[];
  /** A request with an idempotency key is stored once, however often it is sent. */
  idempotency: Idempotency | null;
}

/** The part of a request that was stored. */
export interface StoredRequest {
  /** The number of events that were stored. They are the first events of the request. */
  received: number;
  /** The number of events that the game has stored this month, including this request. */
  used: number;
  quota: number;
  month_ends_in_ms: number;
}

/** The answer that an earlier request with the same key got. */
export interface FirstAnswer {
  body_hash: string;
  /** JSON text, with the warnings of all events that were sent. */
  answer: string;
}
