import {
  MAX_RETENTION_DAY,
  MONTHLY_WINDOW_DAYS,
  WEEKLY_WINDOW_DAYS,
} from '@overworld/contract/analytics/players';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { countEvents } from './event-rollups.ts';
import { countSessions, storedSessions } from './session-rollups.ts';

export interface RebuildOptions {
  game_id: string;
  /** Called with the share of the rebuild that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Ends the rebuild with the signal's reason when the current statement has ended. */
  signal?: AbortSignal;
  /** Deletes, in the transaction of the rebuild, what other features have cached from the rollups. */
  forgetKept?: ForgetKept;
  /** Counts, in the transaction of the rebuild, what other features keep of events. */
  recountStats?: RecountStats;
}

/**
 * Counts statistics of players anew from the events of a game.
 * @param which `new`: only those whose source is new.
 */
export type RecountStats = (
  tx: Queryable,
  game_id: string,
  which: 'all' | 'new',
) => Promise<unknown>;

export type ForgetKept = (tx: Queryable, game_id: string) => Promise<void>;

/**
 * Rebuilds the rollups (daily counts) of a game from its events and sessions, in a transaction during which
 * nothing else changes events and sessions (see rebuilder.ts). The oldest events may have been dropped.
 * Counts of days that may lack events therefore stay as they are.
 * @returns false when there is no such game.
 */
export async function rebuildRollups(tx: Queryable, options: RebuildOptions): Promise<boolean> {
  const { game_id, onProgress, signal } = options;
  const since_day = await beginRebuild(tx, game_id);
  if (since_day === null) return false;

  await deleteCounts(tx, game_id, since_day);
  const days = await listReceiptDays(tx, game_id);
  for (const [index, day] of days.entries()) {
    signal?.throwIfAborted();
    const from = receivedOn(game_id, day);
    await countEvents(tx, { from, since_day });
    await tx.execute(sql`
      INSERT INTO rebuilt_days (environment, player_id, day)
      SELECT DISTINCT seen.environment, COALESCE(merge.player_id, seen.player_id),
             (quarter AT TIME ZONE time_zone)::date
      FROM (
        SELECT DISTINCT game_id, environment, player_id,
               date_bin('15 minutes', occurred_at, 'epoch') AS quarter
        FROM ${from} AS event
        WHERE player_id IS NOT NULL
      ) AS seen
      JOIN games ON games.id = seen.game_id
      -- Events that are still to move to the player of a merge.
      LEFT JOIN player_merges AS merge
        ON merge.game_id = seen.game_id AND merge.environment = seen.environment
          AND from_player_id = seen.player_id AND completed_at IS NULL
      WHERE (quarter AT TIME ZONE time_zone)::date >= ${since_day}::date`);
    onProgress?.((index + 1) / days.length);
  }
  signal?.throwIfAborted();
  await keepOldDays(tx, game_id, since_day);
  await rebuildPlayers(tx, game_id);
  signal?.throwIfAborted();
  await rebuildSessions(tx, game_id);
  return true;
}

/**
 * Prepares the transaction of a rebuild, with a table `rebuilt_days` for the days on which players were
 * active. The table may have several rows for one player and day.
 * @param zone The time zone by which days are counted.
 * @returns the first day from which all events are stored, or `-infinity` if no events were dropped; null
 * when there is no such game.
 */
export async function beginRebuild(
  tx: Queryable,
  game_id: string,
  zone: Sql = sql`time_zone`,
): Promise<string | null> {
  await tx.execute(sql`SELECT set_config('statement_timeout', '0', true)`);
  // The next statement reads which partitions were dropped. No other partition may be dropped until the
  // transaction ends.
  await tx.execute(sql`LOCK TABLE events IN ACCESS SHARE MODE`);
  // The time of an event is at most an hour after its receipt.
  const row = await tx.queryOne<{ since_day: string }>(sql`
    SELECT COALESCE(((events_kept_since + interval '1 hour') AT TIME ZONE ${zone})::date + 1,
                    '-infinity')::text AS since_day
    FROM games WHERE id = ${game_id}`);
  if (row === null) return null;
  await tx.execute(sql`
    CREATE TEMPORARY TABLE rebuilt_days (environment environment, player_id text, day date)
    ON COMMIT DROP`);
  return row.since_day;
}

async function deleteCounts(tx: Queryable, game_id: string, since_day: string): Promise<void> {
  await tx.execute(sql`
    DELETE FROM event_counts USING games
    WHERE game_id = ${game_id} AND games.id = game_id
      AND (quarter AT TIME ZONE time_zone)::date >= ${since_day}::date`);
  await tx.execute(sql`
    DELETE FROM daily_event_counts WHERE game_id = ${game_id} AND day >= ${since_day}::date`);
  await tx.execute(sql`
    DELETE FROM daily_receipts WHERE game_id = ${game_id} AND day >= ${since_day}::date`);
}

/** Lists the starts of the UTC days from the first received event to the last. */
export async function listReceiptDays(tx: Queryable, game_id: string): Promise<string[]> {
  const rows = await tx.query<{ day: string }>(sql`
    SELECT day
    FROM (
      SELECT min(first) AS first, max(last) AS last
      FROM unnest(enum_range(NULL::environment)) AS environment
      CROSS JOIN LATERAL (
        SELECT min(received_at) AS first, max(received_at) AS last
        FROM events
        WHERE events.game_id = ${game_id} AND events.environment = environment.environment
      ) AS received
    ) AS received
    CROSS JOIN generate_series(date_trunc('day', first), last, interval '1 day') AS day
    ORDER BY day`);
  return rows.map(({ day }) => day);
}

/** Writes SQL for the events of a game that were received on a UTC day. */
export function receivedOn(game_id: string, day: string): Sql {
  const next_day = new Date(Date.parse(day) + 86_400_000).toISOString();
  return sql`(
    SELECT * FROM events
    WHERE game_id = ${game_id} AND received_at >= ${day}::timestamptz
      AND received_at < ${next_day}::timestamptz
  )`;
}

/**
 * Copies the active days of players before `since_day`, because events of those days may have been dropped.
 */
async function keepOldDays(tx: Queryable, game_id: string, since_day: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO rebuilt_days (environment, player_id, day)
    SELECT environment, player_id, first_day + place
    FROM player_activity
    CROSS JOIN generate_series(0, bit_length(active_days) - 1) AS place
    WHERE game_id = ${game_id} AND get_bit(active_days, place) = 1
      AND first_day + place < ${since_day}::date`);
}

/** Makes all counts of players from `rebuilt_days`. */
export async function rebuildPlayers(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`ANALYZE rebuilt_days`);
  await rebuildActivity(tx, game_id);
  await rebuildDailyPlayers(tx, game_id);
  await rebuildRetention(tx, game_id);
  await tx.execute(sql`DROP TABLE rebuilt_days`);
}

async function rebuildActivity(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM player_activity WHERE game_id = ${game_id}`);
  await tx.execute(sql`
    INSERT INTO player_activity (game_id, environment, player_id, first_day, active_days)
    SELECT ${game_id}, environment, player_id, min(day),
           string_agg(repeat('0', COALESCE(day - previous - 1, 0)) || '1', '' ORDER BY day)
             ::bit varying
    FROM (
      SELECT environment, player_id, day,
             lag(day) OVER (PARTITION BY environment, player_id ORDER BY day) AS previous
      FROM (SELECT DISTINCT * FROM rebuilt_days) AS active
    ) AS active
    GROUP BY environment, player_id
    ORDER BY environment, player_id`);
}

/**
 * Counts as activity.ts does, but all days in one statement. In the weekly and monthly numbers,
 * an active day counts only until the player's next active day, so no player counts twice.
 */
async function rebuildDailyPlayers(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM daily_players WHERE game_id = ${game_id}`);
  await tx.execute(sql`
    INSERT INTO daily_players
      (game_id, environment, day, active_players, new_players, weekly_change, monthly_change)
    SELECT ${game_id}, environment, change.day, sum(active), sum(is_new), sum(weekly), sum(monthly)
    FROM (
      SELECT environment, day, row_number() OVER history = 1 AS is_first,
             lead(day, 1, 'infinity') OVER history AS next
      FROM (SELECT DISTINCT * FROM rebuilt_days) AS active
      WINDOW history AS (PARTITION BY environment, player_id ORDER BY day)
    ) AS active
    CROSS JOIN LATERAL (
      VALUES (day, 1, is_first::integer, 1, 1),
             (LEAST(day + ${WEEKLY_WINDOW_DAYS}::integer, next), 0, 0, -1, 0),
             (LEAST(day + ${MONTHLY_WINDOW_DAYS}::integer, next), 0, 0, 0, -1)
    ) AS change (day, active, is_new, weekly, monthly)
    GROUP BY environment, change.day`);
}

async function rebuildRetention(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`DELETE FROM retention_counts WHERE game_id = ${game_id}`);
  await tx.execute(sql`
    INSERT INTO retention_counts (game_id, environment, first_day, day_number, player_count)
    SELECT ${game_id}, environment, first_day, place, count(*)
    FROM player_activity
    CROSS JOIN generate_series(0, LEAST(bit_length(active_days) - 1,
                                        ${MAX_RETENTION_DAY}::integer)) AS place
    WHERE game_id = ${game_id} AND get_bit(active_days, place) = 1
    GROUP BY environment, first_day, place`);
}

/** @param games A table with the `id` and `time_zone` of the game; by default the table `games`. */
export async function rebuildSessions(tx: Queryable, game_id: string, games?: Sql): Promise<void> {
  await tx.execute(sql`DELETE FROM daily_sessions WHERE game_id = ${game_id}`);
  await countSessions(tx, {
    from: storedSessions(sql`sessions`, sql`game_id = ${game_id}`),
    games,
  });
}
