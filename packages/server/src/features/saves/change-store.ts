import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/saves';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { encodeTextArray } from '../../platform/database/text-array.ts';
import { lockPlayersOf } from '../../platform/players/player-lock.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { NewVersion, SaveHead } from './save-rules.ts';
import { inOrder } from './store.ts';

/** A change that was stored. */
export interface StoredChange {
  version: number;
  changed_at: string;
  /** Whether there was no save before: it is the first one, or the player was being erased. */
  is_inserted: boolean;
}

/**
 * The end of a statement that changes saves. It writes the rows of `changed` where the state that
 * they were decided on still holds, keeps the versions of `new_version`, and makes new players.
 *
 * Rows are sorted, so that concurrent writers lock them in the same order. A write during the erasure
 * of its player finds no row, whatever revision it has read, and makes the player again. A first save
 * locks its player, so that an erasure waits for the commit and deletes the save too. Revisions begin
 * at a random number, so that one from before an erasure never equals one from after it.
 * @param further More common tables, which may read the ones before.
 */
const storeChanged = (further: Sql) => sql`
  head AS (
    INSERT INTO saves AS known (game_id, environment, player_id, revision, version, deleted_at)
    SELECT game_id, environment, player_id,
           CASE WHEN revision = 1 THEN floor(1 + random() * 2 ^ 52) ELSE revision END, version,
           CASE WHEN is_present THEN NULL ELSE statement_timestamp() END
    FROM changed
    ORDER BY game_id, environment, player_id
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET revision = EXCLUDED.revision, version = EXCLUDED.version,
        deleted_at = EXCLUDED.deleted_at
    WHERE known.revision = EXCLUDED.revision - 1
    RETURNING game_id, environment, player_id, known.xmax = 0 AS is_inserted
  ), stored AS (
    SELECT number, game_id, environment, player_id, version, is_inserted
    FROM head
    JOIN changed USING (game_id, environment, player_id)
  ), kept AS (
    INSERT INTO save_versions (game_id, environment, player_id, slot, version, data, saved_at)
    SELECT game_id, environment, player_id, new_version.version % ${KEPT_SAVE_VERSIONS},
           new_version.version, data, statement_timestamp()
    FROM new_version
    JOIN stored USING (number)
    ON CONFLICT (game_id, environment, player_id, slot) DO UPDATE
    SET version = EXCLUDED.version, data = EXCLUDED.data, saved_at = EXCLUDED.saved_at
  )${further}, first_saved AS (
    SELECT game_id, environment, player_id FROM stored WHERE is_inserted
  ), ${lockPlayersOf(sql`first_saved`)}
  SELECT number, version, is_inserted, statement_timestamp() AS changed_at,
         (SELECT count(*) FROM locked_players) AS locked
  FROM stored`;

/** A decided change to the save of one player. */
export interface Advance {
  player: PlayerKey;
  /** The new state. Its `revision` is one more than that of the state before. */
  next: SaveHead;
  /** New versions in order; none when the save is only deleted. */
  versions: readonly NewVersion[];
  /** A version that is no longer kept, because another has taken its place. */
  replaced_version: number | null;
}

/** Deletes the replaced version, unless a new version is written to its slot. */
const dropReplaced = sql`, dropped AS (
    DELETE FROM save_versions AS kept
    USING stored
    JOIN changed USING (number)
    WHERE kept.game_id = stored.game_id AND kept.environment = stored.environment
      AND kept.player_id = stored.player_id AND kept.version = replaced_version
      AND kept.slot = replaced_version % ${KEPT_SAVE_VERSIONS}
      AND NOT EXISTS (SELECT FROM new_version
                      WHERE new_version.number = stored.number
                        AND new_version.version % ${KEPT_SAVE_VERSIONS} = kept.slot)
  )`;

/**
 * Changes the saves of several players, each where the state it was decided on still holds, and
 * makes players that are new.
 * @returns each stored change, in the order given; null where another writer was faster.
 */
export async function storeAdvances(
  database: Queryable,
  advances: readonly Advance[],
): Promise<(StoredChange | null)[]> {
  const versions = advances.flatMap((advance, index) =>
    // A statement can write each slot only once.
    advance.versions
      .slice(-KEPT_SAVE_VERSIONS)
      .map((version) => ({ number: index + 1, ...version })),
  );
  const rows = await database.query<StoredChange & { number: number }>(sql`
    WITH changed AS (
      SELECT *
      FROM unnest(${keyArrays(advances.map(({ player }) => player))},
                  ${advances.map(({ next }) => next.revision)}::bigint[],
                  ${advances.map(({ next }) => next.version)}::bigint[],
                  ${advances.map(({ next }) => next.is_present)}::boolean[],
                  ${advances.map((advance) => advance.replaced_version)}::bigint[])
        WITH ORDINALITY AS changed
          (game_id, environment, player_id, revision, version, is_present, replaced_version, number)
    ), new_version AS (
      SELECT *
      FROM unnest(${versions.map(({ number }) => number)}::bigint[],
                  ${versions.map(({ version }) => version)}::bigint[],
                  ${encodeTextArray(versions.map(({ data }) => data))}::text[])
        AS new_version (number, version, data)
    ), ${storeChanged(dropReplaced)}`);
  return inOrder(advances.length, rows);
}

/** Saves of one player, one after the other. */
export interface PlayerPutData {
  player: PlayerKey;
  /** The version that the first save expects; the others expect none. */
  expected_version: number | null;
  data: readonly string[];
}

/**
 * Stores saves of several players in one step.
 * @returns for each player the change with the version of the last save, in the order given; null
 * where the first save expects a version that is not the current one, or another writer was faster.
 */
export async function storePuts(
  database: Queryable,
  players: readonly PlayerPutData[],
): Promise<(StoredChange | null)[]> {
  const kept = players.flatMap(({ data }, index) =>
    data
      .map((text, place) => ({ number: index + 1, later: data.length - 1 - place, data: text }))
      .slice(-KEPT_SAVE_VERSIONS),
  );
  const rows = await database.query<StoredChange & { number: number }>(sql`
    WITH changed AS (
      SELECT number, game_id, environment, player_id, true AS is_present,
             coalesce(revision, 0) + 1 AS revision, coalesce(version, 0) + put_count AS version
      FROM unnest(${keyArrays(players.map(({ player }) => player))},
                  ${players.map(({ expected_version }) => expected_version)}::bigint[],
                  ${players.map(({ data }) => data.length)}::integer[])
        WITH ORDINALITY
        AS sent (game_id, environment, player_id, expected_version, put_count, number)
      LEFT JOIN LATERAL (
        SELECT revision, version
        FROM saves
        WHERE saves.game_id = sent.game_id AND saves.environment = sent.environment
          AND saves.player_id = sent.player_id
        OFFSET 0
      ) AS found ON true
      -- With OR, PostgreSQL expects that one row is left, and joins each row with all others.
      WHERE CASE WHEN version IS NULL OR expected_version IS NULL THEN true
                 ELSE expected_version = version END
    ), new_version AS (
      SELECT number, version - later AS version, data
      FROM unnest(${kept.map(({ number }) => number)}::bigint[],
                  ${kept.map(({ later }) => later)}::integer[],
                  ${encodeTextArray(kept.map(({ data }) => data))}::text[])
        AS put (number, later, data)
      JOIN changed USING (number)
    ), ${storeChanged(sql``)}`);
  return inOrder(players.length, rows);
}
