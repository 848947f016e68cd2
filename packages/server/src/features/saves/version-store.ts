import { KEPT_SAVE_VERSIONS } from '@overworld/contract/saves';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { PlayerDataSource, PlayerKey } from '../../platform/player-presence.ts';
import type { Save } from './store.ts';

/** A kept version, without its data. */
export interface SaveVersion {
  version: number;
  size_bytes: number;
  updated_at: string;
  is_current: boolean;
}

/** The kept versions, the newest first, and when the save was deleted if it is. */
export async function listVersions(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<{ saves: SaveVersion[]; deleted_at: string | null }> {
  // A batch that saved more than is kept is trimmed with the next save, so the list counts by itself.
  const rows = await database.query<{
    version: number;
    size_bytes: number | null;
    updated_at: string;
  }>(sql`
    SELECT version, octet_length(data) AS size_bytes, changed_at AS updated_at
    FROM save_changes
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
    ORDER BY revision DESC`);
  const newest = rows[0];
  if (newest === undefined) return { saves: [], deleted_at: null };
  const saves = rows
    .filter((row): row is typeof row & { size_bytes: number } => row.size_bytes !== null)
    .slice(0, KEPT_SAVE_VERSIONS)
    .map((row) => ({ ...row, is_current: row === newest }));
  return { saves, deleted_at: newest.size_bytes === null ? newest.updated_at : null };
}

/** A kept version; null when it never was or is no longer kept. */
export async function findVersion(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  version: number,
): Promise<Save | null> {
  return database.queryOne(sql`
    SELECT version, data, changed_at AS updated_at
    FROM save_changes AS change
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
      AND version = ${version} AND data IS NOT NULL
      AND (SELECT max(version) FROM save_changes AS newest
           WHERE newest.game_id = change.game_id AND newest.environment = change.environment
             AND newest.player_id = change.player_id) < version + ${KEPT_SAVE_VERSIONS}::bigint`);
}

/** Whether the player exists; in a transaction it then cannot be erased until the end. */
export async function lockPlayer(
  database: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<boolean> {
  const count = await database.execute(sql`
    SELECT FROM players
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
    FOR KEY SHARE`);
  return count > 0;
}

/** What is kept of players here, to export and erase: all versions, each with its very text. */
export function createSaveSource(database: Database): PlayerDataSource {
  return {
    name: 'saves',
    async exportPlayer({ game_id, environment, player_id }) {
      const rows = await database.query<{ data: string | null }>(sql`
        SELECT version, data, changed_at AS updated_at
        FROM save_changes
        WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
        ORDER BY revision`);
      // Without data: the save was deleted then.
      const changes = rows.map(({ data, ...change }) => ({
        ...change,
        data: data === null ? null : new JsonText(data),
      }));
      return new JsonText(writeJson(changes));
    },
    async deletePlayer(tx, { game_id, environment, player_id }) {
      await tx.execute(sql`
        DELETE FROM save_changes
        WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}`);
    },
  };
}
