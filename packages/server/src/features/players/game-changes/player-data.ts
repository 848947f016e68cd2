import { MAX_GAME_CHANGES } from '@overworld/contract/players/story';
import { sql } from '../../../platform/database/sql.ts';
import { exportRows } from '../../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer, isOfTenant } from '../../../platform/players/player-key.ts';

/** The changes that the game made to players. */
export const gameChangeSource: PlayerDataSource = {
  name: 'changes_by_game',
  tables: [{ table: 'player_changes', merge: 'by_hand' }],
  exportPlayer: exportRows({
    columns: sql`changed_at, properties AS changed_properties, added_tag, removed_tag`,
    from: sql`player_changes`,
    order: ['changed_at', 'number'],
  }),
  /**
   * Gives the changes of both players to `player`, and keeps only the latest `MAX_GAME_CHANGES` of them.
   */
  async mergePlayer(tx, { player, from }) {
    const ids = [player.player_id, from.player_id];
    await tx.execute(sql`
      WITH moved AS (
        DELETE FROM player_changes
        WHERE ${isOfTenant(player)} AND player_id = ANY(${ids}::text[])
        RETURNING *
      ), latest AS (
        SELECT *, row_number() OVER (ORDER BY changed_at DESC, number DESC, player_id) AS age
        FROM moved
      ), numbered AS (
        INSERT INTO player_changes (game_id, environment, player_id, place, number, changed_at,
          properties, added_tag, removed_tag)
        SELECT game_id, environment, ${player.player_id}, ${MAX_GAME_CHANGES}::integer - age,
          ${MAX_GAME_CHANGES}::integer - age, changed_at, properties, added_tag, removed_tag
        FROM latest
        WHERE age <= ${MAX_GAME_CHANGES}::integer
      )
      UPDATE players SET change_count = (${MAX_GAME_CHANGES}::integer - 1) * 2
      WHERE ${isOfPlayer(player)} AND EXISTS (SELECT FROM moved)`);
  },
};
