import type { ListEntries } from '../../../platform/calendar-sources.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';

/**
 * Lists the seasons of boards that have ended or will end, for the calendar. The season of a board that is never
 * reset is no entry.
 */
export const listSeasonEntries: ListEntries = (database, { tenant, range, limit }) =>
  database.query(sql`
    SELECT board_name AS key, board_name || ', season ' || season AS title,
           (started_at AT TIME ZONE ${range.time_zone})::date AS day,
           started_at AS starts_at, COALESCE(ended_at, ends_at) AS ends_at, 'none' AS may_move
    FROM leaderboard_seasons
    WHERE ${isOfTenant(tenant)} AND started_at < ${range.ends_at}
      AND COALESCE(ended_at, ends_at) >= ${range.starts_at}
    ORDER BY started_at, board_name, season
    LIMIT ${limit}`);
