import { ALERT_METRICS } from '@overworld/contract/alerts/alert-words';
import type { createAlert } from '@overworld/contract/alerts/alerts';
import type { BodyOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { badRequest } from '../../platform/errors.ts';
import type { AlertSettings } from './alert-store.ts';

/** Fills in the defaults and checks that the settings go together. @throws ApiError 400. */
export function readSettings(sent: BodyOf<typeof createAlert>): AlertSettings {
  const { event_name = null, period = 'day', baseline = 'usual', ...rest } = sent;
  const { cool_down_hours = 24, muted = false, account_ids = [], webhook_ids = [] } = rest;
  const { metric, comparison, threshold } = rest;
  const periods: readonly string[] = ALERT_METRICS[metric].periods;
  if (!periods.includes(period)) throw badRequest(`period must be day for ${metric}`);
  if (event_name !== null && metric !== 'events') {
    throw badRequest('event_name must be left out: only events have names');
  }
  const isCompared = comparison === 'rises' || comparison === 'falls';
  if (isCompared && threshold === 0) throw badRequest('threshold must be above 0');
  if (comparison === 'falls' && threshold > 100) throw badRequest('threshold must be at most 100');
  if (isCompared && metric === 'quota_forecast_percent') {
    throw badRequest('comparison must be above or below for quota_forecast_percent');
  }
  const settings = { cool_down_hours, muted, account_ids, webhook_ids };
  return { ...rest, event_name, period, baseline, ...settings };
}

/** @throws ApiError 400 when a recipient is no member or no webhook of the game. */
export async function requireRecipients(
  tx: Queryable,
  game_id: string,
  { account_ids, webhook_ids }: AlertSettings,
): Promise<void> {
  const row = await tx.queryOne<{ members: number; webhooks: number }>(sql`
    SELECT (SELECT count(*) FROM game_members
            WHERE game_id = ${game_id} AND account_id = ANY(${account_ids}::uuid[])) AS members,
           (SELECT count(*) FROM webhooks
            WHERE game_id = ${game_id} AND id = ANY(${webhook_ids}::uuid[])) AS webhooks`);
  if (row!.members < account_ids.length) {
    throw badRequest('account_ids must be members of the game');
  }
  if (row!.webhooks < webhook_ids.length) {
    throw badRequest('webhook_ids must be webhooks of the game');
  }
}
