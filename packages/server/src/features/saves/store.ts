import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { encodeTextArray } from '../../platform/database/text-array.ts';
import type { PlayerKey } from '../../platform/player-presence.ts';
import { NO_SAVE } from './save-rules.ts';
import type { SaveChange, SaveHead } from './save-rules.ts';

/** A save, its data as text. */
export interface Save {
  version: number;
  data: string;
  updated_at: string;
}

/** The save that the game loads; null when there is none. */
export async function findSave(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<Save | null> {
  const newest = await database.queryOne<Omit<Save, 'data'> & { data: string | null }>(sql`
    SELECT version, data, changed_at AS updated_at
    FROM save_changes
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
    ORDER BY revision DESC
    LIMIT 1`);
  return newest !== null && newest.data !== null ? (newest as Save) : null;
}

const keyArrays = (players: readonly PlayerKey[]) => sql`
  ${players.map(({ game_id }) => game_id)}::uuid[],
  ${players.map(({ environment }) => environment)}::environment[],
  ${players.map(({ player_id }) => player_id)}::text[]`;

/** The state of each player's save, in the order asked. */
export async function listHeads(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<SaveHead[]> {
  const rows = await database.query<SaveHead & { number: number }>(sql`
    SELECT number, revision, version, is_present
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT revision, version, data IS NOT NULL AS is_present
      FROM save_changes AS change
      WHERE change.game_id = asked.game_id AND change.environment = asked.environment
        AND change.player_id = asked.player_id
      ORDER BY revision DESC
      LIMIT 1
    ) AS newest`);
  const heads = players.map(() => NO_SAVE);
  for (const { number, ...head } of rows) heads[number - 1] = head;
  return heads;
}

/** What each of the heads holds; null where the row is gone meanwhile. */
export async function listSavesAt(
  database: Queryable,
  places: readonly { player: PlayerKey; revision: number }[],
): Promise<(Save | null)[]> {
  const rows = await database.query<Save & { number: number }>(sql`
    SELECT number, version, data, changed_at AS updated_at
    FROM unnest(${keyArrays(places.map(({ player }) => player))},
                ${places.map(({ revision }) => revision)}::bigint[]) WITH ORDINALITY
      AS asked (game_id, environment, player_id, revision, number)
    CROSS JOIN LATERAL (
      SELECT version, data, changed_at
      FROM save_changes AS change
      WHERE change.game_id = asked.game_id AND change.environment = asked.environment
        AND change.player_id = asked.player_id AND change.revision = asked.revision
      OFFSET 0
    ) AS save`);
  const saves = places.map((): Save | null => null);
  for (const { number, ...save } of rows) saves[number - 1] = save;
  return saves;
}

/** Changes of one player that follow on a state. */
export interface Advance {
  player: PlayerKey;
  head: SaveHead;
  /** At least one, in order. */
  changes: readonly SaveChange[];
}

/**
 * Stores the changes of several players, each player's all or none: none when the save has changed
 * since `head` was read. Also names new players and deletes versions that are no longer kept.
 * @returns the time of each player's changes, in the order given; null where none were stored.
 */
export async function insertChanges(
  database: Queryable,
  advances: readonly Advance[],
): Promise<(string | null)[]> {
  const changes = advances.flatMap(({ head, changes: following }, index) =>
    following.map((change, place) => ({
      number: index + 1,
      revision: head.revision + 1 + place,
      ...change,
    })),
  );
  // Only the first of a player's changes can meet another writer: it claims the revision, the
  // others follow it. Sorted, so that writers who meet wait for each other in one order.
  const rows = await database.query<{ number: number; changed_at: string }>(sql`
    WITH advance AS (
      SELECT *
      FROM unnest(${keyArrays(advances.map(({ player }) => player))},
                  ${advances.map(({ head }) => head.revision + 1)}::bigint[],
                  ${advances.map((advance) => advance.head.revision + advance.changes.length)}::bigint[],
                  ${advances.map((advance) => advance.changes.at(-1)!.version)}::bigint[])
        WITH ORDINALITY AS advance
          (game_id, environment, player_id, first_revision, last_revision, last_version, number)
    ), change AS (
      SELECT *
      FROM unnest(${changes.map(({ number }) => number)}::bigint[],
                  ${changes.map(({ revision }) => revision)}::bigint[],
                  ${changes.map(({ version }) => version)}::bigint[],
                  ${encodeTextArray(changes.map(({ data }) => data))}::text[])
        AS change (number, revision, version, data)
    ), claimed AS (
      INSERT INTO save_changes (game_id, environment, player_id, revision, version, data)
      SELECT game_id, environment, player_id, revision, version, data
      FROM advance
      JOIN change USING (number)
      WHERE revision = first_revision
      ORDER BY game_id, environment, player_id
      ON CONFLICT DO NOTHING
      RETURNING game_id, environment, player_id, revision, changed_at
    ), stored AS (
      SELECT advance.*, changed_at
      FROM claimed
      JOIN advance USING (game_id, environment, player_id)
    ), followed AS (
      INSERT INTO save_changes (game_id, environment, player_id, revision, version, data)
      SELECT game_id, environment, player_id, revision, version, data
      FROM stored
      JOIN change USING (number)
      WHERE revision > first_revision
    ), trimmed AS (
      DELETE FROM save_changes
      WHERE ctid = ANY (ARRAY(
        SELECT old.ctid
        FROM stored
        CROSS JOIN LATERAL (
          SELECT ctid
          FROM save_changes AS kept
          WHERE kept.game_id = stored.game_id AND kept.environment = stored.environment
            AND kept.player_id = stored.player_id
            AND kept.revision <= last_revision - ${KEPT_SAVE_VERSIONS}::bigint
            AND kept.version <= last_version - ${KEPT_SAVE_VERSIONS}::bigint
          OFFSET 0
        ) AS old))
    ), named AS (
      INSERT INTO players (game_id, environment, player_id)
      SELECT game_id, environment, player_id
      FROM stored
      WHERE first_revision = 1
      ORDER BY game_id, environment, player_id
      ON CONFLICT DO NOTHING
    )
    SELECT number, changed_at FROM stored`);
  const times = advances.map((): string | null => null);
  for (const { number, changed_at } of rows) times[number - 1] = changed_at;
  return times;
}
