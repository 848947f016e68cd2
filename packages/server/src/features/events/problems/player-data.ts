import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { exportRows } from '../../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';

/**
 * The samples of problems that name players. The counts beside them are of all players, so an erasure
 * removes only the sample, and a merge only changes its player.
 */
export const problemSource: PlayerDataSource = {
  name: 'event_problems',
  tables: [{ table: 'event_problems', merge: 'by_hand', erase: 'by_hand' }],
  exportPlayer: exportRows({
    columns: sql`kind, message, sample, sample_at`,
    from: sql`event_problems`,
    order: ['key_id', 'kind_hash'],
  }),
  erasePlayer: async (tx, player) => {
    await lockSamples(tx, player);
    await tx.execute(sql`
      UPDATE event_problems SET sample = NULL, sample_at = NULL, player_id = NULL
      WHERE ${isOfPlayer(player)}`);
  },
  mergePlayer: async (tx, { player, from }) => {
    await lockSamples(tx, from);
    await tx.execute(sql`
      UPDATE event_problems SET player_id = ${player.player_id} WHERE ${isOfPlayer(from)}`);
  },
};

/** Locks the rows in the order in which they are written, so that neither waits for the other in a circle. */
const lockSamples = (tx: Queryable, player: PlayerKey) =>
  tx.execute(sql`
    SELECT FROM event_problems WHERE ${isOfPlayer(player)}
    ORDER BY key_id, kind_hash FOR UPDATE`);
