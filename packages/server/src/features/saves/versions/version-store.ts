import type { SuccessOf } from '@overworld/contract/operation';
import type { listSaveVersions } from '@overworld/contract/saves/versions';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { JsonText } from '../../../platform/http/implement.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { isOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import type { KeptSave } from '../store.ts';
import { mergeSaves } from './merge-saves.ts';

/** A kept version, without its data. */
export type SaveVersion = SuccessOf<typeof listSaveVersions>['saves'][number];

/** Lists the kept versions, the newest first, with the time at which the save was deleted, or null. */
export async function listVersions(
  database: Queryable,
  save: SaveKey,
): Promise<{ saves: SaveVersion[]; deleted_at: string | null }> {
  const rows = await database.query<SaveVersion & { deleted_at: string | null }>(sql`
    SELECT kept.version, size_bytes, app_version, kept.saved_at AS updated_at,
           kept.version = saves.version AND deleted_at IS NULL AS is_current, deleted_at
    FROM (
      SELECT version, octet_length(data) AS size_bytes, app_version, saved_at
      FROM save_versions
      WHERE ${isOfSave(save)}
      UNION ALL
      SELECT version, octet_length(data), app_version, saved_at
      FROM older_save_versions
      WHERE ${isOfSave(save)}
    ) AS kept
    CROSS JOIN (SELECT version, deleted_at FROM saves WHERE ${isOfSave(save)}) AS saves
    ORDER BY kept.version DESC`);
  return {
    saves: rows.map(({ deleted_at: _deleted_at, ...version }) => version),
    deleted_at: rows[0]?.deleted_at ?? null,
  };
}

/**
 * Makes the source of saves. Its export has all kept versions, each as the text that was sent.
 * @param history_bytes The maximum size of a player's history: the versions that are older than the last ten
 * of each slot.
 */
export function createSaveSource(history_bytes: number): PlayerDataSource {
  return {
    name: 'saves',
    tables: [
      { table: 'saves', merge: 'by_hand' },
      { table: 'save_versions', merge: 'by_hand' },
      { table: 'older_save_versions', merge: 'by_hand' },
      // Their versions are those of the player who ends.
      { table: 'restored_saves', merge: 'delete' },
    ],
    exportPlayer: exportSaves,
    mergePlayer: async (tx, merge) => ({ saves: await mergeSaves(tx, merge, history_bytes) }),
  };
}

/** Yields one page with the versions of each slot: at most a megabyte, plus the history of the player. */
async function* exportSaves(database: Database, player: PlayerKey) {
  const slots = await database.query<{ slot: string }>(sql`
    SELECT slot FROM saves WHERE ${isOfPlayer(player)} ORDER BY slot`);
  for (const { slot } of slots) {
    const rows = await database.query<KeptSave>(sql`
      SELECT version, saved_at AS updated_at, app_version, data
      FROM (SELECT version, saved_at, app_version, data FROM save_versions
            WHERE ${isOfSave({ ...player, slot })}
            UNION ALL
            SELECT version, saved_at, app_version, data FROM older_save_versions
            WHERE ${isOfSave({ ...player, slot })}) AS kept
      ORDER BY version`);
    yield rows.map(({ data, ...row }) => ({ slot, ...row, data: new JsonText(data) }));
  }
}
