import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { FirstAnswer } from '../inbox/incoming-requests.ts';

/**
 * Identifies a request by its header `Idempotency-Key`. Requests with the same header and the same API
 * key count as the same request. An API key and the keys that it has replaced count as one API key.
 */
export interface RequestName {
  game_id: string;
  /** The oldest of the API keys that count as one. */
  key_id: string;
  /** SHA-256 of the header, hexadecimal. */
  idempotency_key: string;
}

/**
 * Finds the first answer to this request. Returns null if the request was not answered in the last seven
 * days.
 */
export async function findKnownRequest(
  database: Queryable,
  { game_id, key_id, idempotency_key }: RequestName,
): Promise<FirstAnswer | null> {
  return database.queryOne<FirstAnswer>(sql`
    SELECT body_hash, answer FROM event_idempotency_keys
    WHERE game_id = ${game_id} AND key_id = ${key_id} AND idempotency_key = ${idempotency_key}
      AND expires_at > now()`);
}

/** Deletes the stored answers to these requests that are more than seven days old. */
export async function deleteExpiredNames(
  database: Queryable,
  names: readonly RequestName[],
): Promise<void> {
  const types = { game_id: 'uuid', key_id: 'uuid', idempotency_key: 'text' } as const;
  await database.execute(sql`
    DELETE FROM event_idempotency_keys
    WHERE expires_at <= now() AND (game_id, key_id, idempotency_key) IN (
      SELECT game_id, key_id, idempotency_key FROM ${rowsAs('named', names, types)})`);
}

const MAX_DELETED_AT_ONCE = 10_000;

/** Deletes expired answers in portions, so that no lock lasts long. */
export async function deleteExpiredRequests(database: Queryable): Promise<void> {
  let deleted: number;
  do {
    deleted = await database.execute(sql`
      DELETE FROM event_idempotency_keys
      WHERE (game_id, key_id, idempotency_key) IN (
        SELECT game_id, key_id, idempotency_key
        FROM event_idempotency_keys
        WHERE expires_at <= now()
        ORDER BY expires_at
        LIMIT ${MAX_DELETED_AT_ONCE})`);
  } while (deleted === MAX_DELETED_AT_ONCE);
}
