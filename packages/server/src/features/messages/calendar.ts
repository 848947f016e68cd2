import type { ListEntries } from '../../platform/calendar-sources.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';

/** Lists the messages to many players for the calendar. */
export const listMessageEntries: ListEntries = (database, { tenant, range, limit }) =>
  database.query(sql`
    SELECT message_id AS key, title, (starts_at AT TIME ZONE ${range.time_zone})::date AS day,
           starts_at, ends_at, 'none' AS may_move
    FROM messages
    WHERE ${isOfTenant(tenant)} AND player_id IS NULL AND recalled_at IS NULL
      AND starts_at < ${range.ends_at} AND COALESCE(ends_at, starts_at) >= ${range.starts_at}
    ORDER BY messages.starts_at, message_id
    LIMIT ${limit}`);
