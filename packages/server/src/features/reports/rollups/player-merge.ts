import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Merge } from '../../../platform/players/player-data-source.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { addActiveDay, removeHistory } from './activity.ts';
import type { ActivityHistory } from './activity.ts';
import { createActivityChanges } from './activity-counts.ts';
import type { ActivityCounts } from './activity-counts.ts';
import { countSessions } from './session-rollups.ts';

/**
 * If both players have a session with the same id, counts these two sessions as one session. Call this while
 * no node ingests events, and before the sessions of `from` are moved to `player`.
 */
export async function mergeSessionCounts(tx: Queryable, { player, from }: Merge): Promise<void> {
  // The query looks up each session by itself. PostgreSQL may have planned the query when there were few
  // sessions, and would otherwise compare each session with all others.
  const both = sql`
    sessions AS other
    CROSS JOIN LATERAL (
      SELECT started_at, last_event_at FROM sessions AS own
      WHERE ${isOfPlayer(player)} AND own.session_id = other.session_id
      OFFSET 0
    ) AS own
    CROSS JOIN LATERAL (
      VALUES (-1, own.started_at, own.last_event_at),
             (-1, other.started_at, other.last_event_at),
             (1, LEAST(own.started_at, other.started_at),
              GREATEST(own.last_event_at, other.last_event_at))
    ) AS version (change, started_at, last_event_at)`;
  for (const sign of [-1, 1] as const) {
    await countSessions(tx, {
      from: sql`(
        SELECT game_id, environment, player_id, version.started_at, version.last_event_at,
               NULL::timestamptz AS previous_started_at, NULL::timestamptz AS previous_last_event_at
        FROM ${both}
        WHERE ${isOfPlayer(from)} AND change = ${sign}::integer
      )`,
      sign,
    });
  }
}

/** Counts the active days of both players as days of one player. Call this while no node ingests events. */
export async function mergeActivity(tx: Queryable, { player, from }: Merge): Promise<void> {
  const ended = await findHistory(tx, from);
  if (ended === null) return;
  const known = await findHistory(tx, player);
  const changes = createActivityChanges();
  const counts = changes.of(player);
  removeHistory(ended, counts);
  await storeHistory(tx, player, addHistory(known, ended, counts));
  await tx.execute(sql`DELETE FROM player_activity WHERE ${isOfPlayer(from)}`);
  await changes.write(tx);
}

const findHistory = (tx: Queryable, player: PlayerKey): Promise<ActivityHistory | null> =>
  tx.queryOne<ActivityHistory>(sql`
    SELECT first_day - DATE '1970-01-01' AS first_day, active_days::text AS active_days
    FROM player_activity
    WHERE ${isOfPlayer(player)}`);

function addHistory(
  known: ActivityHistory | null,
  { first_day, active_days }: ActivityHistory,
  counts: ActivityCounts,
): ActivityHistory {
  let history = known;
  for (let place = 0; place < active_days.length; place++) {
    if (active_days[place] === '1') history = addActiveDay(history, first_day + place, counts);
  }
  return history!;
}

async function storeHistory(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  { first_day, active_days }: ActivityHistory,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO player_activity AS known
      (game_id, environment, player_id, first_day, active_days)
    VALUES (${game_id}, ${environment}, ${player_id}, DATE '1970-01-01' + ${first_day}::integer,
            ${active_days}::bit varying)
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET first_day = EXCLUDED.first_day, active_days = EXCLUDED.active_days`);
}
