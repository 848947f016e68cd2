import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { PlayerDataSource } from '../../platform/player-presence.ts';
import { removePlayer } from './entry-removal.ts';

/** What is kept of players here, to export and erase: their entries, of past seasons too. */
export function createScoreSource(database: Database): PlayerDataSource {
  return {
    name: 'scores',
    async exportPlayer({ game_id, environment, player_id }) {
      const rows = await database.query<{ metadata: string | null }>(sql`
        SELECT board_name, season, score, player_name, updated_at, metadata
        FROM leaderboard_entries
        WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
        ORDER BY board_name, season`);
      const entries = rows.map(({ metadata, ...entry }) => ({
        ...entry,
        metadata: metadata === null ? null : new JsonText(metadata),
      }));
      return new JsonText(writeJson(entries));
    },
    deletePlayer: removePlayer,
  };
}
