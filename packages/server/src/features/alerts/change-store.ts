import { KEPT_HISTORY_DAYS } from '@overworld/contract/alerts/alert-history';
import type { listAlertChanges } from '@overworld/contract/alerts/alert-history';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';
import type { AlertKey } from './alert-store.ts';

type Change = SuccessOf<typeof listAlertChanges>['changes'][number];

/** Changes of the state of an alert, the newest first. */
export const listChanges = (
  database: Queryable,
  { game_id, alert_id }: AlertKey,
  { after, count }: PageRange,
): Promise<(Change & PagePosition)[]> =>
  database.query(sql`
    SELECT id, at, state, period_started_at, value, baseline_value, notified, at::text AS created
    FROM alert_changes
    WHERE game_id = ${game_id} AND alert_id = ${alert_id}
      AND ${isAfter(sql`at, id`, 'newest_first', after)}
    ORDER BY alert_changes.at DESC, id DESC
    LIMIT ${count}`);

export async function deleteOldChanges(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM alert_changes
    WHERE at < now() - ${KEPT_HISTORY_DAYS}::integer * interval '1 day'`);
}
