import { IDEMPOTENCY_DAYS } from '@overworld/contract/events/track';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';

/**
 * Names a request among all requests of its API key, and of the keys that this key has replaced.
 */
export interface RequestName {
  game_id: string;
  /** The oldest of these keys. */
  key_id: string;
  /** SHA-256 of the header, hexadecimal. */
  idempotency_key: string;
}

/** A request that was answered before. */
export interface KnownRequest extends RequestName {
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
  /** JSON text of the answer. */
  answer: string;
}

const REQUEST_NAME = { game_id: 'uuid', key_id: 'uuid', idempotency_key: 'text' } as const;

/** The requests among these that were answered in the last seven days. */
export async function listKnownRequests(
  database: Queryable,
  names: readonly RequestName[],
): Promise<KnownRequest[]> {
  return database.query<KnownRequest>(sql`
    SELECT known.*
    FROM ${rowsAs('asked', names, REQUEST_NAME)}
    CROSS JOIN LATERAL (
      SELECT game_id, key_id, idempotency_key, body_hash, answer
      FROM event_idempotency_keys AS stored
      WHERE stored.game_id = asked.game_id AND stored.key_id = asked.key_id
        AND stored.idempotency_key = asked.idempotency_key AND expires_at > now()
      OFFSET 0
    ) AS known`);
}

/**
 * Remembers answers for seven days.
 * @returns false when another transaction has stored one of these requests meanwhile.
 */
export async function insertKnownRequests(
  tx: Queryable,
  requests: readonly KnownRequest[],
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    INSERT INTO event_idempotency_keys AS stored
      (game_id, key_id, idempotency_key, body_hash, answer, created_at, expires_at)
    SELECT game_id, key_id, idempotency_key, body_hash, answer, now(),
           now() + make_interval(days => ${IDEMPOTENCY_DAYS})
    FROM ${rowsAs('request', requests, { ...REQUEST_NAME, body_hash: 'text', answer: 'text' })}
    ORDER BY game_id, key_id, idempotency_key
    ON CONFLICT (game_id, key_id, idempotency_key) DO UPDATE
    SET body_hash = EXCLUDED.body_hash, answer = EXCLUDED.answer,
        created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
    WHERE stored.expires_at <= EXCLUDED.created_at`);
  return inserted === requests.length;
}

const MAX_DELETED_AT_ONCE = 10_000;

/** Deletes expired requests, in portions, so that no lock lasts long. */
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
