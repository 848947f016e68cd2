import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';

/** The source that exports, merges and erases the webhook messages about a player. */
export const webhookSource: PlayerDataSource = {
  name: 'webhook_messages',
  exportPlayer: (database, player) =>
    database.query(sql`
      SELECT event_type, created_at, body FROM webhook_deliveries
      WHERE ${isOfPlayer(player)} ORDER BY created_at, id`),
  async deletePlayer(tx, player) {
    await tx.execute(sql`DELETE FROM webhook_deliveries WHERE ${isOfPlayer(player)}`);
  },
  async mergePlayer(tx, { player, from }) {
    await tx.execute(sql`
      UPDATE webhook_deliveries SET player_id = ${player.player_id} WHERE ${isOfPlayer(from)}`);
    return {};
  },
};
