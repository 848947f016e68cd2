import { hash } from 'node:crypto';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '@overworld/contract/idempotency';
import { badRequest } from '../errors.ts';

/** Identifies a request that may be sent several times, and must be done once. */
export interface Idempotency {
  /** SHA-256 of the `Idempotency-Key`, hexadecimal. */
  key: string;
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
}

/**
 * Reads the header `Idempotency-Key`; null without it.
 * @throws ApiError 400 when it is empty or too long.
 */
export function readIdempotency(key: unknown, body: Buffer): Idempotency | null {
  if (typeof key !== 'string') return null;
  if (key === '') throw badRequest('Idempotency-Key must not be empty');
  if (key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw badRequest(`Idempotency-Key must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);
  }
  // A game may put ids of players into its idempotency keys. After
  // a player is erased, only hashes of such keys may stay stored.
  return { key: hash('sha256', key, 'hex'), body_hash: hash('sha256', body, 'hex') };
}
