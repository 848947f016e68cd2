import { hash } from 'node:crypto';
import { SUBMIT_KEY_DAYS } from '@overworld/contract/leaderboards/kept-scores';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { badRequest } from '../../../platform/errors.ts';
import { seasonArrays } from '../store.ts';
import type { Once } from './decide-submits.ts';
import type { FoundBoard, SeasonSubmits } from './player-states.ts';

const MAX_KEY_LENGTH = 255;

/** Reads the header `Idempotency-Key` of a submit. @throws ApiError 400 for an empty or too long one. */
export function readOnce(key: string, body: Buffer): Once {
  if (key === '') throw badRequest('Idempotency-Key must not be empty');
  if (key.length > MAX_KEY_LENGTH) {
    throw badRequest(`Idempotency-Key must have at most ${MAX_KEY_LENGTH} characters`);
  }
  return { key: hash('sha256', key, 'hex'), body_hash: hash('sha256', body, 'hex') };
}

/** The stored keys of the players of a season: for each place of a player, the hashes of bodies by key. */
export type StoredKeys = ReadonlyMap<number, Map<string, string>>;

/**
 * Finds the keys of submits that were stored before, on boards that do not keep the best. It must run before the
 * statement that reads the players. The season is at the version of the copy then and when the scores are
 * stored, so no other submit with one of these keys can be stored in between.
 * @returns the keys for each season; null if no submit has a key.
 */
export async function findKeys(
  database: Queryable,
  seasons: readonly SeasonSubmits[],
  now: Date,
): Promise<(StoredKeys | undefined)[] | null> {
  const asked = seasons.flatMap(({ season, policy, players }, board) => {
    if (policy === null || policy.keeps === 'best') return [];
    return players.flatMap(({ player_id, requests }, place) =>
      requests.flatMap(({ once }) =>
        once === null ? [] : [{ ...season, board, place, player_id, key: once.key }],
      ),
    );
  });
  if (asked.length === 0) return null;
  const rows = await database.query<{ index: number; body_hash: string }>(sql`
    SELECT ordinality::integer - 1 AS index, body_hash
    FROM unnest(${seasonArrays(asked)}, ${asked.map(({ player_id }) => player_id)}::text[],
                ${asked.map(({ key }) => key)}::text[])
      WITH ORDINALITY AS asked (game_id, environment, board_name, season, player_id, submit_key)
    CROSS JOIN LATERAL (
      SELECT body_hash FROM leaderboard_submit_keys AS stored
      WHERE stored.game_id = asked.game_id AND stored.environment = asked.environment
        AND stored.player_id = asked.player_id AND stored.board_name = asked.board_name
        AND stored.submit_key = asked.submit_key AND expires_at > ${now}
      OFFSET 0
    ) AS stored`);
  const found: (Map<number, Map<string, string>> | undefined)[] = seasons.map(() => undefined);
  for (const { index, body_hash } of rows) {
    const { board, place, key } = asked[index]!;
    const places = (found[board] ??= new Map<number, Map<string, string>>());
    const keys = places.get(place) ?? new Map<string, string>();
    places.set(place, keys.set(key, body_hash));
  }
  return found;
}

/** Adds the stored keys to the players of a season. */
export function withKeys(found: FoundBoard, keys: StoredKeys | undefined): FoundBoard {
  if (keys === undefined || found === 'overtaken' || found === 'locked') return found;
  for (const [place, stored_keys] of keys) found.players[place]!.stored_keys = stored_keys;
  return found;
}

/** A key to store with the score of its submit. */
export type NewKey = Once & { player_id: string };

/** The part of a statement that stores keys. A key that is still stored has expired. */
export const insertKeys = (
  rows: readonly (NewKey & { board: number })[],
  updated_at: string,
): Sql => sql`
    keys AS (
      INSERT INTO leaderboard_submit_keys
        (game_id, environment, player_id, board_name, submit_key, body_hash, expires_at)
      SELECT game_id, environment, player_id, board_name, submit_key, body_hash,
        ${updated_at}::timestamptz + make_interval(days => ${SUBMIT_KEY_DAYS})
      FROM unnest(${rows.map(({ board }) => board)}::integer[],
                  ${rows.map(({ player_id }) => player_id)}::text[],
                  ${rows.map(({ key }) => key)}::text[],
                  ${rows.map(({ body_hash }) => body_hash)}::text[])
        AS sent (board, player_id, submit_key, body_hash)
      JOIN raised USING (board)
      ON CONFLICT (game_id, environment, player_id, board_name, submit_key)
      DO UPDATE SET body_hash = excluded.body_hash, expires_at = excluded.expires_at
    ),`;

const MAX_DELETED_AT_ONCE = 10_000;

/** Deletes expired keys in portions, so that no lock lasts long; called by a timer. */
export async function deleteExpiredKeys(database: Database): Promise<void> {
  let deleted: number;
  do {
    deleted = await database.execute(sql`
      DELETE FROM leaderboard_submit_keys
      WHERE (game_id, environment, player_id, board_name, submit_key) IN (
        SELECT game_id, environment, player_id, board_name, submit_key
        FROM leaderboard_submit_keys
        WHERE expires_at <= now()
        ORDER BY expires_at
        LIMIT ${MAX_DELETED_AT_ONCE})`);
  } while (deleted === MAX_DELETED_AT_ONCE);
}
