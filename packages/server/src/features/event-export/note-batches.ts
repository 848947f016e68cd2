import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/**
 * A step of ingest. Notes the requests whose events the transaction stores, for environments that are being
 * exported. So no event can be stored without being exported, whatever the order in which transactions end.
 * A cluster runs the subquery without a condition by itself: it needs a column, and the limit keeps it short.
 */
export const noteBatches = (tx: Queryable): Promise<number> =>
  tx.execute(sql`
    WITH exported AS MATERIALIZED (
      SELECT game_id, environment
      FROM (
        SELECT DISTINCT game_id, environment FROM ingested_events
        WHERE EXISTS (SELECT true FROM event_exports LIMIT 1)
      ) AS tenant
      WHERE EXISTS (
        SELECT FROM event_exports AS export
        WHERE export.game_id = tenant.game_id AND export.environment = tenant.environment
        OFFSET 0
      )
    ), request AS (
      SELECT game_id, environment, id / 128 AS inbox_id, received_at, count(*) AS event_count,
             sum(pg_column_size(properties)) AS bytes
      FROM ingested_events
      JOIN exported USING (game_id, environment)
      GROUP BY 1, 2, 3, 4
    )
    INSERT INTO event_export_batches
      (game_id, environment, first_received_at, day, inbox_ids, received_at, event_count, bytes)
    SELECT game_id, environment, min(received_at), (received_at AT TIME ZONE 'UTC')::date AS day,
           array_agg(inbox_id ORDER BY inbox_id), array_agg(received_at ORDER BY inbox_id),
           sum(event_count), sum(bytes)
    FROM request
    GROUP BY game_id, environment, day
    ORDER BY game_id, environment, day`);
