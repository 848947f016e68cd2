import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { JsonText } from '../../../platform/http/implement.ts';
import { writeJson } from '../../../platform/http/write-json.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import { isOfSave } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import type { Save } from '../store.ts';

/** A kept version, without its data. */
export interface SaveVersion {
  version: number;
  size_bytes: number;
  updated_at: string;
  is_current: boolean;
}

/** The kept versions, the newest first, and when the save was deleted, if it was. */
export async function listVersions(
  database: Queryable,
  save: SaveKey,
): Promise<{ saves: SaveVersion[]; deleted_at: string | null }> {
  const rows = await database.query<SaveVersion & { deleted_at: string | null }>(sql`
    SELECT kept.version, size_bytes, kept.saved_at AS updated_at,
           kept.version = saves.version AND deleted_at IS NULL AS is_current, deleted_at
    FROM (
      SELECT version, octet_length(data) AS size_bytes, saved_at
      FROM save_versions
      WHERE ${isOfSave(save)}
      UNION ALL
      SELECT version, octet_length(data), saved_at
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

/** The saves of players, to export and erase: all kept versions, each as the text that was sent. */
export function createSaveSource(database: Database): PlayerDataSource {
  return {
    name: 'saves',
    async exportPlayer(player) {
      const rows = await database.query<Save & { slot: string }>(sql`
        SELECT slot, version, saved_at AS updated_at, data
        FROM (SELECT game_id, environment, player_id, slot, version, saved_at, data
              FROM save_versions
              UNION ALL
              SELECT game_id, environment, player_id, slot, version, saved_at, data
              FROM older_save_versions) AS kept
        WHERE ${isOfPlayer(player)}
        ORDER BY slot, version`);
      return new JsonText(writeJson(rows.map((row) => ({ ...row, data: new JsonText(row.data) }))));
    },
    async deletePlayer(tx, player) {
      await tx.execute(sql`DELETE FROM saves WHERE ${isOfPlayer(player)}`);
      await tx.execute(sql`DELETE FROM save_versions WHERE ${isOfPlayer(player)}`);
      await tx.execute(sql`DELETE FROM older_save_versions WHERE ${isOfPlayer(player)}`);
    },
  };
}
