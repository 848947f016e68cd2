import { QUOTA_STEPS } from '@overworld/contract/webhooks/service-events';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { insertDeliveries } from '../../platform/webhooks/post-event.ts';

/**
 * Tells webhooks when a game has reached a share of its monthly quota, each share once a month. A timer calls
 * this function, so counting events does not become slower.
 */
export async function announceQuotaSteps(database: Database): Promise<void> {
  await database.execute(sql`
    WITH reached AS (
      INSERT INTO announced_quota_steps (game_id, month, percent)
      SELECT game_id, month, percent
      FROM event_usage
      CROSS JOIN unnest(${[...QUOTA_STEPS]}::integer[]) AS step (percent)
      WHERE month = date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
        AND used * 100 >= quota * percent
        AND game_id IN (SELECT game_id FROM webhooks
                        WHERE disabled_at IS NULL AND 'quota.reached' = ANY(events))
      ORDER BY game_id, percent
      ON CONFLICT DO NOTHING
      RETURNING game_id, month, percent
    )
    ${insertDeliveries(sql`(
      SELECT game_id, NULL::environment AS environment, NULL AS player_id, 'quota.reached' AS type,
             json_build_object('game_id', game_id, 'month', to_char(month, 'YYYY-MM'),
                               'percent', percent, 'used', used, 'quota', quota) AS data
      FROM reached
      JOIN event_usage USING (game_id, month)) AS happened`)}`);
}

/**
 * Returns the percentage of the monthly quota that a game will have used at the end of the month, if it goes
 * on at the pace of this month so far. Returns null on the first day, because one day says too little.
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
