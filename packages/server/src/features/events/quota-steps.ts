import { QUOTA_STEPS } from '@overworld/contract/webhooks/service-events';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { insertDeliveries } from '../../platform/webhooks/post-event.ts';

/**
 * Tells webhooks that games have reached a share of their monthly quota, each share once a month. A timer
 * calls this, so that counting events costs no more.
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
