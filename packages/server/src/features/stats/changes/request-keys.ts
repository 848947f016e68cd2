import { hash } from 'node:crypto';
import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Idempotency } from '../../../platform/http/idempotency.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import type { StatRequest } from './units.ts';

const KEY_TYPES = { game_id: 'uuid', key_id: 'uuid', idempotency_key: 'text' } as const;

const namesOf = (requests: readonly StatRequest[]) =>
  requests.flatMap(({ player: { game_id }, sent }) =>
    sent === null ? [] : [{ game_id, key_id: sent.key_id, idempotency_key: sent.key }],
  );

/**
 * Identifies a request by its `Idempotency-Key`. If its body leaves the player to the player token, other players
 * can send the same key with the same body, so the key is the player's own.
 * @param sent The `player_id` of the body; null if it has none.
 */
export const identifyRequest = (
  { key, body_hash }: Idempotency,
  key_id: string,
  sent: string | null,
  { player_id }: Pick<PlayerKey, 'player_id'>,
): StatRequest['sent'] => ({
  key: sent === null ? hash('sha256', `${key} ${player_id}`, 'hex') : key,
  body_hash,
  key_id,
});

/**
 * Makes the number by which the keys of a player are counted. It is a hash, so an erasure need not find the keys,
 * which end with their days.
 */
export const senderOf = ({ environment, player_id }: PlayerKey): string =>
  hash('sha256', `${environment} ${player_id}`, 'buffer').readBigInt64BE().toString();

/** Names a request by its idempotency key; null without one. */
export const nameOfRequest = ({ player, sent }: StatRequest): string | null =>
  sent === null ? null : `${player.game_id} ${sent.key_id} ${sent.key}`;

/** Finds the hashes of the bodies that were sent with known idempotency keys, by the names of the requests. */
export async function findKnownKeys(
  database: Queryable,
  requests: readonly StatRequest[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query<{ name: string; body_hash: string }>(sql`
    SELECT concat(game_id, ' ', key_id, ' ', idempotency_key) AS name, body_hash
    FROM ${rowsAs('named', namesOf(requests), KEY_TYPES)}
    CROSS JOIN LATERAL (
      SELECT body_hash FROM stat_request_keys AS known
      WHERE known.game_id = named.game_id AND known.key_id = named.key_id
        AND known.idempotency_key = named.idempotency_key AND expires_at > now()
      OFFSET 0
    ) AS known`);
  return new Map(rows.map(({ name, body_hash }) => [name, body_hash]));
}

/** Deletes those of the requests' keys that have expired. */
export async function deleteExpiredKeysOf(
  database: Queryable,
  requests: readonly StatRequest[],
): Promise<void> {
  await database.execute(sql`
    DELETE FROM stat_request_keys
    WHERE expires_at <= now() AND (game_id, key_id, idempotency_key) IN (
      SELECT game_id, key_id, idempotency_key
      FROM ${rowsAs('named', namesOf(requests), KEY_TYPES)})`);
}

const MAX_DELETED_AT_ONCE = 10_000;

/** Deletes expired keys in portions, so that no lock lasts long. */
export async function deleteExpiredKeys(database: Queryable): Promise<void> {
  let deleted: number;
  do {
    deleted = await database.execute(sql`
      DELETE FROM stat_request_keys
      WHERE (game_id, key_id, idempotency_key) IN (
        SELECT game_id, key_id, idempotency_key
        FROM stat_request_keys
        WHERE expires_at <= now()
        ORDER BY expires_at
        LIMIT ${MAX_DELETED_AT_ONCE})`);
  } while (deleted === MAX_DELETED_AT_ONCE);
}
