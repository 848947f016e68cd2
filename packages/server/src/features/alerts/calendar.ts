import type { ListEntries } from '../../platform/calendar-sources.ts';
import { sql } from '../../platform/database/sql.ts';

/** Lists the times at which alerts fired, until their state changed, for the calendar. */
export const listAlertEntries: ListEntries = (database, { tenant, range, limit }) =>
  database.query(sql`
    SELECT alert_id AS key, name AS title, (at AT TIME ZONE ${range.time_zone})::date AS day,
           at AS starts_at, changed_at AS ends_at, 'none' AS may_move
    FROM (
      SELECT alert_id, at, alert_changes.state, name,
             lead(at) OVER (PARTITION BY alert_id ORDER BY at, alert_changes.id) AS changed_at
      FROM alert_changes
      JOIN alerts ON alerts.game_id = alert_changes.game_id AND alerts.id = alert_id
      WHERE alert_changes.game_id = ${tenant.game_id} AND environment = ${tenant.environment}
    ) AS changes
    WHERE state = 'firing' AND at < ${range.ends_at}
      AND (changed_at IS NULL OR changed_at >= ${range.starts_at})
    ORDER BY at, alert_id
    LIMIT ${limit}`);
