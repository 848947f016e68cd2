import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { keyArrays, nameOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { rankedVersions } from './retention.ts';

/**
 * Deletes old versions, but not the last ten of each slot, until each player has at most `history_bytes` of
 * old versions. First it deletes the versions that `retention.ts` no longer keeps. Then it deletes the
 * versions that have the most newer versions in their slot; among versions that have equally many, the
 * oldest. Call it after a write that has moved a version into the history, in the same transaction or in a
 * later one.
 *
 * Only one transaction at a time does this for a player, and it sees what earlier transactions have moved and
 * deleted. The limit therefore holds once the last of several writes is answered, and no write deletes too
 * much. Rows that another write is deleting are skipped. This function never waits for a row, so it cannot
 * deadlock.
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
 * Calls `limitHistories` in a transaction of its own. It ignores errors, because the saves are committed
 * already, and the next write that moves a version of the player into the history tries again.
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
