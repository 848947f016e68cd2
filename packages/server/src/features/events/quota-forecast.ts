import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/**
 * The share of the monthly quota that a game will have used at the end of the month at the pace of this
 * month so far, in percent; null on the first day, because one day says too little.
 */
export async function forecastQuotaPercent(
  database: Queryable,
  game_id: string,
): Promise<number | null> {
  const row = await database.queryOne<{ percent: number | null }>(sql`
    WITH month AS (
      SELECT date_trunc('month', now(), 'UTC') AS began,
             date_trunc('month', now(), 'UTC') + interval '1 month' AS ends
    )
    SELECT CASE WHEN now() >= began + interval '1 day' THEN
             (COALESCE(used * 100.0 / NULLIF(quota, 0), 0) * extract(epoch FROM ends - began)
               / extract(epoch FROM now() - began))::float8
           END AS percent
    FROM month
    LEFT JOIN event_usage
      ON game_id = ${game_id} AND event_usage.month = (began AT TIME ZONE 'UTC')::date`);
  return row!.percent;
}
