import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/** An event is late when it was received more than this long after it happened. */
const LATE_AFTER = '1 day';

/** SQL for the counts in a row of `daily_receipts`. It computes them from events. */
const receiptCounts = sql`count(*) AS event_count,
  count(*) FILTER (WHERE received_at - occurred_at > ${LATE_AFTER}::interval) AS late_count,
  count(*) FILTER (WHERE client_timestamp <> occurred_at) AS wrong_clock_count`;

/** The events to count. `from` is SQL for rows like those of the table `events`. */
interface EventSource {
  from: Sql;
  /** -1 subtracts the events from the counts. */
  sign?: 1 | -1;
  /** The first day whose counts may change. */
  since_day?: string;
}

/** Adds events to the counts by time of occurrence and to the counts by day of receipt. */
export async function countEvents(
  tx: Queryable,
  { from, sign = 1, since_day = '-infinity' }: EventSource,
): Promise<void> {
  await tx.execute(sql`
    WITH counted AS MATERIALIZED (
      SELECT game_id, environment, quarter, event_name, key_id,
             (quarter AT TIME ZONE time_zone)::date AS day,
             (received_quarter AT TIME ZONE time_zone)::date AS received_day,
             ${sign}::integer * event_count AS event_count, ${sign}::integer * late_count AS late_count,
             ${sign}::integer * wrong_clock_count AS wrong_clock_count
      FROM (
        SELECT game_id, environment, event_name, key_id,
               date_bin('15 minutes', occurred_at, 'epoch') AS quarter,
               date_bin('15 minutes', received_at, 'epoch') AS received_quarter,
               ${receiptCounts}
        FROM ${from} AS event
        GROUP BY 1, 2, 3, 4, 5, 6
      ) AS counted
      JOIN games ON games.id = game_id
    ), receipts AS (
      INSERT INTO daily_receipts AS known
        (game_id, environment, day, key_id, event_count, late_count, wrong_clock_count)
      SELECT game_id, environment, received_day, key_id,
             sum(event_count), sum(late_count), sum(wrong_clock_count)
      FROM counted
      WHERE received_day >= ${since_day}::date
      GROUP BY 1, 2, 3, 4
      ORDER BY 1, 2, 3, 4
      ON CONFLICT (game_id, environment, day, key_id) DO UPDATE
      SET event_count = known.event_count + EXCLUDED.event_count,
          late_count = known.late_count + EXCLUDED.late_count,
          wrong_clock_count = known.wrong_clock_count + EXCLUDED.wrong_clock_count
    ), days AS (
      INSERT INTO daily_event_counts AS known
        (game_id, environment, day, event_name, key_id, event_count)
      SELECT game_id, environment, day, event_name, key_id, sum(event_count)
      FROM counted
      WHERE day >= ${since_day}::date
      GROUP BY 1, 2, 3, 4, 5
      ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (game_id, environment, day, event_name, key_id) DO UPDATE
      SET event_count = known.event_count + EXCLUDED.event_count
    )
    INSERT INTO event_counts AS known
      (game_id, environment, quarter, event_name, key_id, event_count)
    SELECT game_id, environment, quarter, event_name, key_id, sum(event_count)
    FROM counted
    WHERE day >= ${since_day}::date
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (game_id, environment, quarter, event_name, key_id) DO UPDATE
    SET event_count = known.event_count + EXCLUDED.event_count`);
}

/**
 * Adds events only to the counts by the day of receipt.
 * @param games SQL for rows with the `id` and the `time_zone` of each game.
 */
export async function countReceipts(
  tx: Queryable,
  { from, since_day, games }: { from: Sql; since_day: string; games: Sql },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO daily_receipts AS known
      (game_id, environment, day, key_id, event_count, late_count, wrong_clock_count)
    SELECT game_id, environment, (received_quarter AT TIME ZONE time_zone)::date AS day, key_id,
           sum(event_count), sum(late_count), sum(wrong_clock_count)
    FROM (
      SELECT game_id, environment, key_id,
             date_bin('15 minutes', received_at, 'epoch') AS received_quarter, ${receiptCounts}
      FROM ${from} AS event
      GROUP BY 1, 2, 3, 4
    ) AS counted
    JOIN ${games} AS games ON games.id = game_id
    WHERE (received_quarter AT TIME ZONE time_zone)::date >= ${since_day}::date
    GROUP BY 1, 2, 3, 4
    ON CONFLICT (game_id, environment, day, key_id) DO UPDATE
    SET event_count = known.event_count + EXCLUDED.event_count,
        late_count = known.late_count + EXCLUDED.late_count,
        wrong_clock_count = known.wrong_clock_count + EXCLUDED.wrong_clock_count`);
}
