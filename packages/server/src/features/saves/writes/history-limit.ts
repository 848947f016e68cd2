import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { keyArrays, nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { rankedVersions } from './retention.ts';

/**
 * Deletes versions before the last ten of players until they have at most `history_bytes`, over all slots of a
 * player. First go those that need not be kept any more, then those with the most kept ones after them in
 * their slot, and of these the oldest. To be called after a write that copied one of these versions, in the
 * same transaction or in one of its own.
 *
 * One transaction at a time does this for a player, and sees the copies and deletions of those before it. So
 * the bound holds when the last of several writes is answered, and none deletes more than needed. Rows that a
 * write is deleting are left to it: this waits for no row, and so is in no deadlock.
 */
export async function limitHistories(
  tx: Queryable,
  players: readonly PlayerKey[],
  history_bytes: number,
): Promise<void> {
  const named = [...new Map(players.map((player) => [nameOfPlayer(player), player])).entries()];
  await tx.execute(sql`
    SELECT pg_advisory_xact_lock(key)
    FROM (SELECT DISTINCT hashtextextended('save history of ' || name, 0) AS key
          FROM unnest(${named.map(([name]) => name)}::text[]) AS name
          ORDER BY key) AS locks`);
  await tx.execute(sql`
    WITH surplus AS MATERIALIZED (
      SELECT row
      FROM (
        SELECT row, sum(size_bytes) OVER (PARTITION BY number ORDER BY turn, ranked.saved_at DESC, slot)
                    > ${history_bytes}::bigint AS is_surplus
        FROM unnest(${keyArrays(named.map(([, player]) => player))}) WITH ORDINALITY
          AS player (game_id, environment, player_id, number)
        CROSS JOIN LATERAL (
          SELECT * FROM saves
          WHERE saves.game_id = player.game_id AND saves.environment = player.environment
            AND saves.player_id = player.player_id
          OFFSET 0
        ) AS pushed
        CROSS JOIN LATERAL (${rankedVersions(sql`ctid`)}) AS ranked
        WHERE row IS NOT NULL
      ) AS kept
      WHERE is_surplus
    ), free AS MATERIALIZED (
      SELECT ctid AS row FROM older_save_versions
      WHERE ctid = ANY (ARRAY(SELECT row FROM surplus))
      FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM older_save_versions WHERE ctid = ANY (ARRAY(SELECT row FROM free))
    )
    SELECT 1`);
}

/**
 * The same in a transaction of its own. It does not fail: the saves are committed, and the next copy of the
 * player makes up for it.
 */
export async function limitGrownHistories(
  database: Database,
  players: readonly PlayerKey[],
  history_bytes: number,
): Promise<void> {
  if (players.length === 0) return;
  const limiting = database.transaction((tx) => limitHistories(tx, players, history_bytes));
  await limiting.catch(() => undefined);
}
