import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** Sessions, as rows like those of the table `sessions`. */
interface SessionSource {
  from: Sql;
  /** -1 subtracts the sessions from the counts. */
  sign?: 1 | -1;
  /** SQL for rows with the `id` and the `time_zone` of the games. */
  games?: Sql;
}

/**
 * Updates the daily counts of sessions by length. Subtracts each changed session from the day and length that
 * it had before the change, and adds it to its current day and length.
 */
export async function countSessions(
  tx: Queryable,
  { from, sign = 1, games = sql`games` }: SessionSource,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO daily_sessions AS known
      (game_id, environment, day, length_class, session_count, player_session_count, total_seconds)
    SELECT game_id, environment, (started_at AT TIME ZONE time_zone)::date AS day,
           width_bucket(seconds, ${SESSION_LENGTH_BOUNDS_SECONDS}::bigint[]) AS length_class,
           sum(change), sum(CASE WHEN player_id = '' THEN 0 ELSE change END),
           sum(change * seconds)
    FROM (
      SELECT game_id, environment, player_id, version.change, version.started_at,
             floor(date_part('epoch', version.ended_at - version.started_at))::bigint AS seconds
      FROM ${from} AS session
      CROSS JOIN LATERAL (
        VALUES (${sign}::integer, session.started_at, last_event_at),
               (-${sign}::integer, previous_started_at, previous_last_event_at)
      ) AS version (change, started_at, ended_at)
      WHERE version.started_at IS NOT NULL
        AND (session.started_at, last_event_at)
            IS DISTINCT FROM (previous_started_at, previous_last_event_at)
    ) AS moved
    JOIN ${games} AS games ON games.id = game_id
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (game_id, environment, day, length_class) DO UPDATE
    SET session_count = known.session_count + EXCLUDED.session_count,
        player_session_count = known.player_session_count + EXCLUDED.player_session_count,
        total_seconds = known.total_seconds + EXCLUDED.total_seconds`);
}

/**
 * SQL for stored sessions as rows for `countSessions`. These rows have no previous
 * times, so each session is only added to the counts, or only subtracted from them.
 */
export const storedSessions = (table: Sql, where: Sql): Sql => sql`(
  SELECT game_id, environment, player_id, started_at, last_event_at,
         NULL::timestamptz AS previous_started_at, NULL::timestamptz AS previous_last_event_at
  FROM ${table} WHERE ${where}
)`;
