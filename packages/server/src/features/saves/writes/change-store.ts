import { KEPT_SAVE_VERSIONS, MAIN_SLOT } from '@overworld/contract/saves/limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { encodeTextArray, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { lockPlayersOf } from '../../../platform/players/player-lock.ts';
import { isSameSave, saveKeyArrays } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { inOrder } from '../store.ts';
import { storeKnownPuts } from './known-puts.ts';
import { keepOlderVersions, nextHourEnds } from './retention.ts';
import type { SavePuts } from './save-puts.ts';
import type { NewVersion, SaveHead } from './save-rules.ts';
import type { StoredChange } from './stored-change.ts';

/**
 * Makes the end of a statement that changes saves. It writes each row of `changed` if the save is still in
 * the state on which the change was decided, stores the versions of `new_version`, and creates new players.
 *
 * Rows are sorted, so concurrent writers lock them in the same order. A write during the erasure of its
 * player finds no row, even if it has read a revision, and creates the player again. A first save locks
 * its player, so an erasure waits for the commit and deletes the save too. Revisions begin at a random
 * number, so a revision from before an erasure never equals a later one. Common table expressions that
 * read versions come before those that write versions, because Citus runs them one after the other.
 * @param further More common table expressions, which may read the ones before them.
 */
const storeChanged = (database: Queryable, further: Sql) => sql`
  head AS (
    INSERT INTO saves AS known (game_id, environment, player_id, slot, revision, version, deleted_at,
                                saved_at, hour_ends)
    SELECT game_id, environment, player_id, slot,
           CASE WHEN revision = 1 THEN floor(1 + random() * 2 ^ 52) ELSE revision END, version,
           CASE WHEN is_present THEN NULL ELSE statement_timestamp() END, statement_timestamp(), 0
    FROM changed
    ORDER BY game_id, environment, player_id, slot
    ON CONFLICT (game_id, environment, player_id, slot) DO UPDATE
    SET revision = EXCLUDED.revision, version = EXCLUDED.version,
        deleted_at = EXCLUDED.deleted_at,
        saved_at = CASE WHEN EXCLUDED.version = known.version THEN known.saved_at
                        ELSE EXCLUDED.saved_at END,
        hour_ends = ${nextHourEnds(sql`EXCLUDED`)}
    WHERE known.revision = EXCLUDED.revision - 1
    RETURNING game_id, environment, player_id, slot, hour_ends, known.xmax = 0 AS is_inserted
  ), stored AS (
    SELECT *
    FROM head
    JOIN changed USING (game_id, environment, player_id, slot)
  ), ${keepOlderVersions(database)}${further}, kept AS (
    INSERT INTO save_versions
      (game_id, environment, player_id, slot, place, version, data, app_version, saved_at)
    SELECT game_id, environment, player_id, slot, new_version.version % ${KEPT_SAVE_VERSIONS},
           new_version.version, data, app_version, statement_timestamp()
    FROM new_version
    JOIN stored USING (number)
    ON CONFLICT (game_id, environment, player_id, slot, place) DO UPDATE
    SET version = EXCLUDED.version, data = EXCLUDED.data, app_version = EXCLUDED.app_version,
        saved_at = EXCLUDED.saved_at
  ), first_saved AS (
    SELECT game_id, environment, player_id FROM stored WHERE is_inserted
  ), ${lockPlayersOf(sql`first_saved`)}
  SELECT number, version, is_inserted, statement_timestamp() AS changed_at,
         number IN (SELECT number FROM judged WHERE is_kept AND row IS NULL) AS has_grown
  FROM stored`;

/** A decided change to one save. A game's deletion without a new version is stored by `deletions.ts`. */
export interface Advance {
  save: SaveKey;
  /** The new state. Its `revision` is one more than that of the state before. */
  next: SaveHead;
  /** New versions in order; none if a merge joins two saves whose last versions are not kept. */
  versions: readonly NewVersion[];
  /**
   * The number that is added to the version of the save. It can exceed the number of `versions`, because a
   * later version of the same batch may replace one before it is stored.
   */
  version_count: number;
  /** The stored version that this change replaces, and that must be deleted; null if there is none. */
  replaced_version: number | null;
}

/**
 * Deletes the replaced version, unless a new version overwrites its row: rows are numbered by `place`, the
 * version modulo the number of kept versions.
 */
const dropReplaced = sql`, dropped AS (
    DELETE FROM save_versions AS kept
    USING stored
    WHERE ${isSameSave(sql`kept`, sql`stored`)}
      AND kept.version = replaced_version AND kept.place = replaced_version % ${KEPT_SAVE_VERSIONS}
      AND NOT EXISTS (SELECT FROM new_version
                      WHERE new_version.number = stored.number
                        AND new_version.version % ${KEPT_SAVE_VERSIONS} = kept.place)
  )`;

/**
 * Stores changes to several saves, each only if its save is still in the state on which the change was
 * decided, and creates new players.
 * @returns the stored changes in the order of `advances`; null where another writer was faster.
 */
export async function storeAdvances(
  database: Queryable,
  advances: readonly Advance[],
): Promise<(StoredChange | null)[]> {
  const versions = advances.flatMap((advance, index) =>
    // A statement can write each row only once, and later versions would overwrite the rows of earlier ones.
    // So only the last versions are stored.
    advance.versions
      .slice(-KEPT_SAVE_VERSIONS)
      .map((version) => ({ number: index + 1, ...version })),
  );
  const rows = await database.query<StoredChange & { number: number }>(sql`
    WITH changed AS (
      SELECT *
      FROM unnest(${saveKeyArrays(advances.map(({ save }) => save))},
                  ${advances.map(({ next }) => next.revision)}::bigint[],
                  ${advances.map(({ next }) => next.version)}::bigint[],
                  ${advances.map(({ next }) => next.is_present)}::boolean[],
                  ${advances.map(({ version_count }) => version_count)}::bigint[],
                  ${advances.map((advance) => advance.replaced_version)}::bigint[])
        WITH ORDINALITY AS changed
          (game_id, environment, player_id, slot, revision, version, is_present, version_count,
           replaced_version, number)
    ), new_version AS (
      SELECT *
      FROM unnest(${versions.map(({ number }) => number)}::bigint[],
                  ${versions.map(({ version }) => version)}::bigint[],
                  ${encodeTextArray(versions.map(({ data }) => data))}::text[],
                  ${versions.map(({ app_version }) => app_version)}::text[])
        AS new_version (number, version, data, app_version)
    ), ${storeChanged(database, dropReplaced)}`);
  return inOrder(advances.length, rows);
}

/**
 * Stores several saves in one statement; on a cluster in several statements, which need a transaction.
 * @returns for each save, in the order of `puts`, the change with the version of the last put. It is null if
 * the first put expects a version that is not the current one, if another writer was faster, or if the slot
 * is new and not the main slot, because the number of slots is limited.
 */
export const storePuts: StorePuts = (database, puts) =>
  database.formFor({ plain: storeAnyPuts, cluster: storeKnownFirst })(database, puts);

type StorePuts = (
  database: Queryable,
  puts: readonly SavePuts[],
) => Promise<(StoredChange | null)[]>;

const storeKnownFirst: StorePuts = async (database, puts) => {
  const known = await storeKnownPuts(database, puts);
  const others = puts.filter((_put, index) => known[index] === null);
  const stored = others.length === 0 ? [] : await storeAnyPuts(database, others);
  return known.map((change) => change ?? stored.shift()!);
};

async function storeAnyPuts(
  database: Queryable,
  puts: readonly SavePuts[],
): Promise<(StoredChange | null)[]> {
  const kept = puts.flatMap(({ versions }, index) =>
    versions
      .map((put, place) => ({ number: index + 1, later: versions.length - 1 - place, ...put }))
      .slice(-KEPT_SAVE_VERSIONS),
  );
  const rows = await database.query<StoredChange & { number: number }>(sql`
    WITH changed AS (
      SELECT number, game_id, environment, player_id, slot, true AS is_present, version_count,
             coalesce(revision, 0) + 1 AS revision, coalesce(version, 0) + version_count AS version
      FROM unnest(${saveKeyArrays(puts.map(({ save }) => save))},
                  ${puts.map(({ expected_version }) => expected_version)}::bigint[],
                  ${puts.map(({ versions }) => versions.length)}::bigint[])
        WITH ORDINALITY
        AS sent (game_id, environment, player_id, slot, expected_version, version_count, number)
      LEFT JOIN LATERAL (
        SELECT revision, version
        FROM saves
        WHERE ${isSameSave(sql`saves`, sql`sent`)}
        OFFSET 0
      ) AS found ON true
      -- With OR, PostgreSQL expects that one row is left, and joins each row with all others.
      WHERE CASE WHEN version IS NULL THEN slot = ${MAIN_SLOT}
                 WHEN expected_version IS NULL THEN true
                 ELSE expected_version = version END
    ), new_version AS (
      SELECT number, version - later AS version, data, app_version
      FROM unnest(${kept.map(({ number }) => number)}::bigint[],
                  ${kept.map(({ later }) => later)}::integer[],
                  ${encodeTextArray(kept.map(({ data }) => data))}::text[],
                  ${kept.map(({ app_version }) => app_version)}::text[])
        AS put (number, later, data, app_version)
      JOIN changed USING (number)
    ), ${storeChanged(database, sql``)}`);
  return inOrder(puts.length, rows);
}
