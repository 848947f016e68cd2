import type { ListEntries, ListWaiting } from '../../platform/calendar-sources.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';

/** Lists the experiments that were started for the calendar. */
export const listExperimentEntries: ListEntries = (database, { tenant, range, limit }) =>
  database.query(sql`
    SELECT experiment_id AS key, name AS title,
           (started_at AT TIME ZONE ${range.time_zone})::date AS day,
           started_at AS starts_at, stopped_at AS ends_at, 'none' AS may_move
    FROM experiments
    WHERE ${isOfTenant(tenant)} AND started_at < ${range.ends_at}
      AND (stopped_at IS NULL OR stopped_at >= ${range.starts_at})
    ORDER BY started_at, experiment_id
    LIMIT ${limit}`);

/** Lists the drafts with the parameters of their variants, in the order of their names. */
export const listDrafts: ListWaiting = (database, tenant) =>
  database.query(sql`
    SELECT experiment_id AS id, name, ARRAY(
      SELECT DISTINCT parameter
      FROM json_array_elements(definition::json -> 'variants') AS variant
      CROSS JOIN LATERAL json_object_keys(
        CASE json_typeof(variant -> 'values') WHEN 'object' THEN variant -> 'values' ELSE '{}' END
      ) AS parameter
      ORDER BY parameter) AS parameters
    FROM experiments
    WHERE ${isOfTenant(tenant)} AND state = 'draft'
    ORDER BY name, experiment_id`);
