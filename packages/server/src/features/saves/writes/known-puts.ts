import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves/limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { encodeTextArray, sql } from '../../../platform/database/sql.ts';
import { isSameSave, nameOfSave, saveKeyArrays } from '../save-key.ts';
import { nextHourEnds, pushesHourEnd } from './retention.ts';
import type { SavePuts } from './save-puts.ts';
import type { StoredChange } from './stored-change.ts';

/**
 * Stores puts of existing saves with two statements, in a transaction. On a cluster, each statement runs
 * completely on the node of the group.
 * @returns the same as `storePuts`, but also null where the write would push out a version that must be kept.
 */
export async function storeKnownPuts(
  tx: Queryable,
  puts: readonly SavePuts[],
): Promise<(StoredChange | null)[]> {
  // Concurrent writers lock the saves in the same order.
  const order = puts
    .map(({ save }, index) => ({ name: nameOfSave(save), index }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const sorted = order.map(({ index }) => puts[index]!);
  const rows = await tx.query<{ number: number; version: number; changed_at: string }>(sql`
    WITH written AS MATERIALIZED (
      SELECT sent.*, next.version, next.saved_at, ${nextHourEnds(sql`next`)} AS hour_ends
      FROM unnest(${saveKeyArrays(sorted.map(({ save }) => save))},
                  ${sorted.map(({ expected_version }) => expected_version)}::bigint[],
                  ${sorted.map(({ versions }) => versions.length)}::bigint[])
        WITH ORDINALITY
        AS sent (game_id, environment, player_id, slot, expected_version, version_count, number)
      CROSS JOIN LATERAL (
        SELECT version, saved_at, hour_ends FROM saves
        WHERE ${isSameSave(sql`saves`, sql`sent`)}
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS known
      CROSS JOIN LATERAL (
        SELECT known.version + version_count AS version, statement_timestamp() AS saved_at
      ) AS next
      WHERE coalesce(expected_version, known.version) = known.version
    ), pushed AS (
      SELECT * FROM written WHERE NOT ${pushesHourEnd}
    ), stored AS (
      UPDATE saves
      SET revision = saves.revision + 1, version = pushed.version, deleted_at = NULL,
          saved_at = pushed.saved_at, hour_ends = pushed.hour_ends
      FROM pushed
      WHERE ${isSameSave(sql`saves`, sql`pushed`)}
      RETURNING number, pushed.version, pushed.saved_at AS changed_at
    )
    SELECT number, version, changed_at FROM stored`);
  const stored: (StoredChange | null)[] = puts.map(() => null);
  for (const { number, version, changed_at } of rows) {
    stored[order[number - 1]!.index] = {
      version,
      changed_at,
      is_inserted: false,
      has_grown: false,
    };
  }
  await insertVersions(tx, puts, stored);
  return stored;
}

async function insertVersions(
  tx: Queryable,
  puts: readonly SavePuts[],
  stored: readonly (StoredChange | null)[],
): Promise<void> {
  const versions = puts.flatMap(({ save, versions: of_save }, index) => {
    const change = stored[index]!;
    if (change === null) return [];
    const first = change.version - of_save.length + 1;
    return of_save
      .map((put, place) => ({ save, version: first + place, ...put }))
      .slice(-KEPT_SAVE_VERSIONS);
  });
  if (versions.length === 0) return;
  await tx.execute(sql`
    INSERT INTO save_versions
      (game_id, environment, player_id, slot, place, version, data, app_version, saved_at)
    SELECT saves.game_id, saves.environment, saves.player_id, saves.slot,
           put.version % ${KEPT_SAVE_VERSIONS}, put.version, put.data, put.app_version, saves.saved_at
    FROM unnest(${saveKeyArrays(versions.map(({ save }) => save))},
                ${versions.map(({ version }) => version)}::bigint[],
                ${encodeTextArray(versions.map(({ data }) => data))}::text[],
                ${versions.map(({ app_version }) => app_version)}::text[])
      AS put (game_id, environment, player_id, slot, version, data, app_version)
    JOIN saves ON ${isSameSave(sql`saves`, sql`put`)}
    ON CONFLICT (game_id, environment, player_id, slot, place) DO UPDATE
    SET version = EXCLUDED.version, data = EXCLUDED.data, app_version = EXCLUDED.app_version,
        saved_at = EXCLUDED.saved_at`);
}
