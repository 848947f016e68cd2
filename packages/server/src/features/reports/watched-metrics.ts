import type { AlertMetric, AlertPeriod } from '@overworld/contract/alerts/alert-words';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/** A metric, and the periods in which it is read. */
export interface WatchedPeriods extends Tenant {
  metric: AlertMetric;
  event_name: string | null;
  period: AlertPeriod;
  /** Days as `YYYY-MM-DD`, or the moments at which hours begin. */
  starts: readonly string[];
}

/**
 * Reads a metric from the rollups: one value for each of `starts`, in this order. A value is null if it
 * cannot be computed: for a share of nothing, and before the first event of the environment.
 */
export async function readWatchedMetric(
  database: Queryable,
  watched: WatchedPeriods,
): Promise<(number | null)[]> {
  const { starts, period } = watched;
  const start = period === 'day' ? sql`start::date` : sql`start::timestamptz`;
  const rows = await database.query<{ value: number | null }>(sql`
    SELECT CASE WHEN start >= (SELECT min(day) FROM daily_event_counts
                               WHERE ${isOfTenant(watched)})
      THEN (${period === 'day' ? valueOfDay(watched) : eventsOfHour(watched)})::float8 END AS value
    FROM (SELECT ${start} AS start, number
          FROM unnest(${[...starts]}::text[]) WITH ORDINALITY AS asked (start, number)) AS asked
    ORDER BY number`);
  return rows.map(({ value }) => value);
}

const isNamed = ({ event_name }: WatchedPeriods): Sql =>
  sql`(${event_name}::text IS NULL OR event_name = ${event_name})`;

const eventsOfHour = (watched: WatchedPeriods): Sql => sql`
  SELECT COALESCE(sum(event_count), 0) FROM event_counts
  WHERE ${isOfTenant(watched)} AND ${isNamed(watched)}
    AND quarter >= start AND quarter < start + interval '1 hour'`;

/** Makes SQL for the value of the day in the column `asked.start`. */
function valueOfDay(watched: WatchedPeriods): Sql {
  const isOfDay = (table: Sql) => sql`${isOfTenant(watched)} AND ${table}.day = asked.start`;
  switch (watched.metric) {
    case 'active_players':
    case 'new_players': {
      const column = watched.metric === 'active_players' ? sql`active_players` : sql`new_players`;
      return sql`SELECT COALESCE(sum(${column}), 0) FROM daily_players AS d
        WHERE ${isOfDay(sql`d`)}`;
    }
    case 'sessions':
      return sql`SELECT COALESCE(sum(session_count), 0) FROM daily_sessions AS d
        WHERE ${isOfDay(sql`d`)}`;
    case 'events':
      return sql`SELECT COALESCE(sum(event_count), 0) FROM daily_event_counts AS d
        WHERE ${isOfDay(sql`d`)} AND ${isNamed(watched)}`;
    case 'wrong_clock_percent':
      return sql`SELECT sum(wrong_clock_count) * 100.0 / NULLIF(sum(event_count), 0)
        FROM daily_receipts AS d WHERE ${isOfDay(sql`d`)}`;
    case 'refused_events_percent':
      return sql`
        SELECT refused * 100.0 / NULLIF(refused + stored, 0)
        FROM (SELECT COALESCE(sum(refused_count), 0) AS refused FROM daily_track_problems AS d
              WHERE ${isOfDay(sql`d`)}) AS problems,
             (SELECT COALESCE(sum(event_count), 0) AS stored FROM daily_event_counts AS d
              WHERE ${isOfDay(sql`d`)}) AS events`;
    default:
      throw new Error(`${watched.metric} is no metric of rollups`);
  }
}
