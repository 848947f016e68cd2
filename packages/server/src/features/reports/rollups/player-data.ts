import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PlayerDataSource } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { removeHistory } from './activity.ts';
import type { ActivityHistory } from './activity.ts';
import { createActivityChanges } from './activity-counts.ts';
import { eraseMost } from './early-erasure.ts';
import { countEvents } from './event-rollups.ts';
import { mergeActivity, mergeSessionCounts } from './player-merge.ts';
import { mergeNumbers, unsealDaysOfPlayer } from '../sealed/unseal.ts';
import { keepFromRebuild } from './rebuild-hold.ts';
import { countSessions, storedSessions } from './session-rollups.ts';

/**
 * Makes the source of the active days of players. Erasing a player also
 * subtracts the player from all counts. To do so, it reads the player's events and sessions, so it must run
 * before they are erased. Old events may have been dropped already. Their counts cannot be subtracted and
 * stay, but they name no player.
 * @param lockIngest Keeps all nodes from ingesting events until the transaction ends.
 * @param joinIngest Lets all nodes ingest events, but keeps other transactions
 * from taking the lock of `lockIngest` until this transaction ends.
 */
export function createActivitySource(
  lockIngest: (tx: Queryable) => Promise<void>,
  joinIngest: (tx: Queryable) => Promise<void>,
): PlayerDataSource {
  return {
    name: 'activity',
    tables: [
      { table: 'player_activity', merge: 'by_hand', erase: 'by_hand' },
      { table: 'sealed_players', merge: 'by_hand' },
    ],
    exportPlayer: exportActivity,
    eraseMost: (database, player) => eraseMost(database, joinIngest, player),
    async erasePlayer(tx, player) {
      await lockIngest(tx);
      await keepFromRebuild(tx, player.game_id);
      await unsealDaysOfPlayer(tx, player);
      const isPlayers = isOfPlayer(player);
      await countEvents(tx, { from: sql`(SELECT * FROM events WHERE ${isPlayers})`, sign: -1 });
      await countSessions(tx, { from: storedSessions(sql`sessions`, isPlayers), sign: -1 });
      await deleteActivity(tx, player);
    },
    async mergePlayer(tx, merge) {
      await lockIngest(tx);
      await keepFromRebuild(tx, merge.player.game_id);
      await mergeSessionCounts(tx, merge);
      await mergeActivity(tx, merge);
      await mergeNumbers(tx, merge.player, merge.from);
    },
  };
}

async function exportActivity(
  database: Database,
  player: PlayerKey,
): Promise<{ first_day: string; active_days: string[] } | null> {
  return database.queryOne(sql`
    SELECT first_day::text AS first_day,
           ARRAY(SELECT (first_day + place)::text
                 FROM generate_series(0, bit_length(active_days) - 1) AS place
                 WHERE get_bit(active_days, place) = 1
                 ORDER BY place) AS active_days
    FROM player_activity
    WHERE ${isOfPlayer(player)}`);
}

async function deleteActivity(tx: Queryable, player: PlayerKey): Promise<void> {
  const history = await tx.queryOne<ActivityHistory>(sql`
    DELETE FROM player_activity
    WHERE ${isOfPlayer(player)}
    RETURNING first_day - DATE '1970-01-01' AS first_day, active_days::text AS active_days`);
  if (history === null) return;
  const changes = createActivityChanges();
  removeHistory(history, changes.of(player));
  await changes.write(tx);
}
