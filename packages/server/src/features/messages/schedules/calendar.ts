import type { ListEntries } from '../../../platform/calendar-sources.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';

/** Lists the messages that schedules will send, for the calendar. */
export const listComingMessages: ListEntries = (database, { tenant, range, limit }) =>
  database.query(sql`
    SELECT schedule_id AS key, content ->> 'title' AS title, day::date::text AS day, starts_at,
           starts_at + make_interval(hours => lasts_hours) AS ends_at, 'none' AS may_move
    FROM message_schedules
    CROSS JOIN LATERAL generate_series(
      greatest(next_day, ${range.from}::date - 31)::timestamp, ${range.to}::date, '1 day') AS day
    CROSS JOIN LATERAL (
      SELECT (day + make_interval(hours => hour)) AT TIME ZONE ${range.time_zone} AS starts_at
    ) AS time
    WHERE ${isOfTenant(tenant)} AND NOT paused AND extract(isodow FROM day) = ANY(weekdays)
      AND starts_at + make_interval(hours => lasts_hours) >= ${range.starts_at}
    ORDER BY starts_at, schedule_id
    LIMIT ${limit}`);
