import { forgetPlayer } from '../../../platform/audit.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { eventsMove, listMerges } from './merge-store.ts';

/** SQL that is true for the merges of this player into another one, and of other players into this one. */
const isNamed = (player: PlayerKey): Sql =>
  sql`${isOfTenant(player)} AND ${player.player_id} IN (player_id, from_player_id)`;

/** @throws ApiError 409 while a merge still moves events to the player or away from the player. */
export async function requireMovedEvents(tx: Queryable, player: PlayerKey): Promise<void> {
  const moving = await tx.execute(sql`
    SELECT FROM player_merges WHERE ${isNamed(player)} AND completed_at IS NULL LIMIT 1`);
  if (moving > 0) throw eventsMove();
}

/**
 * The merges of a player. An erasure is refused while a merge still moves events of the player, because the
 * merge would write these events after the erasure. This source comes last in the list of sources: when it
 * runs, no new merge of the player can begin.
 */
export const mergeSource: PlayerDataSource = {
  name: 'merges',
  // `storeMerge` moves these rows.
  tables: [{ table: 'player_merges', merge: 'by_hand', erase: 'by_hand' }],
  exportPlayer: listMerges,
  async erasePlayer(tx, player) {
    await requireMovedEvents(tx, player);
    const { player_id: _player_id, ...tenant } = player;
    const deleted = await tx.query<{ from_player_id: string }>(sql`
      DELETE FROM player_merges WHERE ${isNamed(player)} RETURNING from_player_id`);
    for (const { from_player_id } of deleted) {
      await forgetPlayer(tx, { ...tenant, player_id: from_player_id });
    }
  },
};
