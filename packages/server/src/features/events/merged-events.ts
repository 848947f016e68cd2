import type { Queryable } from '../../platform/database/database.ts';
import { takeTurns } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';

/** The most events that one transaction moves, which takes about 50 ms. */
const STEP_EVENTS = 1_000;

interface Moving {
  from: PlayerKey;
  player_id: string;
}

/**
 * Moves the events of each merged player to the player that it was merged into. Each step is a short
 * transaction, so a crash loses nothing, and any node can continue. Even before the events have moved,
 * reports count them for the right player.
 */
export function createEventMover(database: GroupedDatabase) {
  const closing = new AbortController();
  return {
    /** Moves the events of all merges; a timer calls this. */
    run: () => takeTurns(database.groups, (group) => group.transaction(moveNext), closing.signal),
    /** Stops after the current step. The remaining events are moved after the next start. */
    close: () => closing.abort(),
  };
}

/** @returns false when no events are left, except those that other nodes are moving. */
async function moveNext(tx: Queryable): Promise<boolean> {
  const moving = await lockNext(tx);
  if (moving === null) return false;
  const { from, player_id } = moving;
  // Without these settings, the planner would join the chosen events with a whole partition.
  await tx.execute(sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`);
  const moved = await tx.execute(sql`
    WITH chosen AS MATERIALIZED (
      SELECT received_at, id FROM events
      WHERE ${isOfPlayer(from)}
      ORDER BY received_at, id
      LIMIT ${STEP_EVENTS}
    )
    UPDATE events SET player_id = ${player_id}
    FROM chosen
    WHERE events.game_id = ${from.game_id} AND events.environment = ${from.environment}
      AND events.received_at = chosen.received_at AND events.id = chosen.id`);
  const is_complete = moved < STEP_EVENTS;
  await tx.execute(sql`
    UPDATE player_merges
    SET moved_event_count = moved_event_count + ${moved}::bigint,
        event_count = CASE WHEN ${is_complete} THEN moved_event_count + ${moved}::bigint
                           ELSE event_count END,
        completed_at = CASE WHEN ${is_complete} THEN moment END
    FROM (SELECT now() AS moment) AS clock
    WHERE game_id = ${from.game_id} AND environment = ${from.environment}
      AND from_player_id = ${from.player_id}`);
  return true;
}

async function lockNext(tx: Queryable): Promise<Moving | null> {
  const row = await tx.queryOne<PlayerKey & { from_player_id: string }>(sql`
    SELECT game_id, environment, from_player_id, player_id
    FROM player_merges
    WHERE completed_at IS NULL
    ORDER BY merged_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED`);
  if (row === null) return null;
  const { from_player_id, player_id, ...tenant } = row;
  return { from: { ...tenant, player_id: from_player_id }, player_id };
}
