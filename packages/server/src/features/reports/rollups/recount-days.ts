import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { countReceipts } from './event-rollups.ts';
import {
  beginRebuild,
  listReceiptDays,
  rebuildPlayers,
  rebuildSessions,
  receivedOn,
} from './rebuild.ts';
import type { RebuildOptions } from './rebuild.ts';

interface RecountOptions extends RebuildOptions {
  /** The new time zone of the game. Days begin at midnight in this zone. */
  time_zone: string;
}

/** The share of the work that is done when each of these steps ends. */
const PROGRESS = { sessions: 0.3, events: 0.6, players: 0.9 };
const EVENTS_PART = PROGRESS.events - PROGRESS.sessions;

/**
 * Counts all days of a game anew for a new time zone, in which days begin at other moments. During the
 * transaction, nothing else may change events and sessions (see rebuilder.ts). Sessions and the counts by
 * quarter hour are stored as long as the game exists. The new counts of events, sessions and players by day
 * are made from them, even for days whose events were dropped. Two things can only be made from the events
 * themselves: the counts by day of receipt, and the active days between the first and the last day of a
 * longer session. For days whose events may have been dropped, both stay as they were in the old zone.
 * @returns false when there is no such game.
 */
export async function recountDays(tx: Queryable, options: RecountOptions): Promise<boolean> {
  const { game_id, time_zone, onProgress = () => undefined, signal } = options;
  const since_day = await beginRebuild(tx, game_id, sql`${time_zone}::text`);
  if (since_day === null) return false;

  await tx.execute(sql`
    CREATE TEMPORARY TABLE long_sessions
      (environment environment, player_id text, session_id text, first_day date, last_day date)
    ON COMMIT DROP`);
  const months = await listSessionMonths(tx, game_id);
  for (const [index, month] of months.entries()) {
    signal?.throwIfAborted();
    await readSessions(tx, options, month);
    onProgress((PROGRESS.sessions * (index + 1)) / months.length);
  }
  const has_long_sessions = (await tx.execute(sql`SELECT FROM long_sessions LIMIT 1`)) > 0;
  if (has_long_sessions) await keepDaysWithoutEvents(tx, game_id, since_day);

  await tx.execute(sql`
    DELETE FROM daily_receipts WHERE game_id = ${game_id} AND day >= ${since_day}::date`);
  const games = sql`(SELECT ${game_id}::uuid AS id, ${time_zone}::text AS time_zone)`;
  const days = await listReceiptDays(tx, game_id);
  for (const [index, day] of days.entries()) {
    signal?.throwIfAborted();
    const from = receivedOn(game_id, day);
    await countReceipts(tx, { from, since_day, games });
    if (has_long_sessions) await readLongSessions(tx, { from, since_day, time_zone });
    onProgress(PROGRESS.sessions + (EVENTS_PART * (index + 1)) / days.length);
  }
  await tx.execute(sql`DROP TABLE long_sessions`);
  signal?.throwIfAborted();
  await rebuildPlayers(tx, game_id);
  onProgress(PROGRESS.players);
  signal?.throwIfAborted();
  await recountEvents(tx, options);
  await rebuildSessions(tx, game_id, games);
  return true;
}

/**
 * Lists the starts of the UTC months, from the month of the first session to the month of the last session.
 */
async function listSessionMonths(tx: Queryable, game_id: string): Promise<string[]> {
  const rows = await tx.query<{ month: string }>(sql`
    SELECT month
    FROM (
      SELECT min(first) AS first, max(last) AS last
      FROM unnest(enum_range(NULL::environment)) AS environment
      CROSS JOIN LATERAL (
        SELECT min(started_at) AS first, max(started_at) AS last
        FROM sessions
        WHERE sessions.game_id = ${game_id} AND sessions.environment = environment.environment
          AND started_at > '-infinity'
      ) AS started
    ) AS started
    CROSS JOIN generate_series(date_trunc('month', first), last, interval '1 month') AS month
    ORDER BY month`);
  return rows.map(({ month }) => month);
}

/**
 * Stores the first and the last day of each session as active days, because both days have events. Puts the
 * sessions that have days between these two into the table `long_sessions`.
 */
async function readSessions(
  tx: Queryable,
  { game_id, time_zone }: RecountOptions,
  month: string,
): Promise<void> {
  await tx.execute(sql`
    WITH started AS MATERIALIZED (
      SELECT environment, player_id, session_id,
             (started_at AT TIME ZONE ${time_zone}::text)::date AS first_day,
             (last_event_at AT TIME ZONE ${time_zone}::text)::date AS last_day
      FROM sessions
      WHERE game_id = ${game_id} AND player_id <> '' AND started_at > '-infinity'
        AND started_at >= ${month}::timestamptz
        AND started_at < ${month}::timestamptz + interval '1 month'
    ), noted AS (
      INSERT INTO long_sessions (environment, player_id, session_id, first_day, last_day)
      SELECT environment, player_id, session_id, first_day, last_day
      FROM started WHERE last_day - first_day > 1
    )
    INSERT INTO rebuilt_days (environment, player_id, day)
    SELECT environment, player_id, first_day FROM started
    UNION
    SELECT environment, player_id, last_day FROM started`);
}

/**
 * Keeps the old active days that lie within longer sessions and before `since_day`. The events of these days
 * may have been dropped.
 */
async function keepDaysWithoutEvents(
  tx: Queryable,
  game_id: string,
  since_day: string,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO rebuilt_days (environment, player_id, day)
    SELECT DISTINCT known.environment, known.player_id, known.first_day + place
    FROM long_sessions AS session
    JOIN player_activity AS known
      ON known.game_id = ${game_id} AND known.environment = session.environment
        AND known.player_id = session.player_id
    CROSS JOIN generate_series(0, bit_length(active_days) - 1) AS place
    WHERE get_bit(active_days, place) = 1 AND known.first_day + place > session.first_day
      AND known.first_day + place < session.last_day
      AND known.first_day + place < ${since_day}::date`);
}

async function readLongSessions(
  tx: Queryable,
  { from, since_day, time_zone }: { from: Sql; since_day: string; time_zone: string },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO rebuilt_days (environment, player_id, day)
    SELECT DISTINCT environment, player_id, day
    FROM (
      SELECT event.environment, COALESCE(merge.player_id, event.player_id) AS player_id,
             session_id, (occurred_at AT TIME ZONE ${time_zone}::text)::date AS day
      FROM ${from} AS event
      -- Events that are still to move to the player of a merge.
      LEFT JOIN player_merges AS merge
        ON merge.game_id = event.game_id AND merge.environment = event.environment
          AND from_player_id = event.player_id AND completed_at IS NULL
      WHERE event.player_id IS NOT NULL
    ) AS seen
    JOIN long_sessions USING (environment, player_id, session_id)
    WHERE day > first_day AND day < last_day AND day >= ${since_day}::date`);
}

/**
 * Sums the counts by quarter hour into counts by the new days. No quarter hour belongs to two days, because
 * the offset of every zone is a whole number of quarter hours.
 */
async function recountEvents(tx: Queryable, { game_id, time_zone }: RecountOptions) {
  await tx.execute(sql`DELETE FROM daily_event_counts WHERE game_id = ${game_id}`);
  await tx.execute(sql`
    INSERT INTO daily_event_counts (game_id, environment, day, event_name, key_id, event_count)
    SELECT ${game_id}, environment, (quarter AT TIME ZONE ${time_zone}::text)::date, event_name, key_id,
           sum(event_count)
    FROM event_counts
    WHERE game_id = ${game_id}
    GROUP BY 2, 3, 4, 5`);
}
