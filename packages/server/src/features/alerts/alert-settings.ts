import { ALERT_METRICS } from '@overworld/contract/alerts/alert-words';
import type { createAlert } from '@overworld/contract/alerts/alerts';
import type { BodyOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { badRequest } from '../../platform/errors.ts';
import type { AlertSettings, Recipients } from './alert-store.ts';

/** Fills in the defaults and checks that the settings fit together. @throws ApiError 400. */
export function readSettings(sent: BodyOf<typeof createAlert>): AlertSettings {
  const {
    metric_key = null,
    event_name = null,
    period = 'day',
    baseline = 'usual',
    ...rest
  } = sent;
  const { cool_down_hours = 24, muted = false, account_ids = [], webhook_ids = [] } = rest;
  const { metric, comparison, threshold } = rest;
  const periods: readonly string[] = ALERT_METRICS[metric].periods;
  if (!periods.includes(period)) throw badRequest(`period must be day for ${metric}`);
  if (event_name !== null && metric !== 'events') {
    throw badRequest('event_name must be left out: only events have names');
  }
  if (metric === 'metric' && metric_key === null) {
    throw badRequest('metric_key is required for metric');
  }
  if (metric !== 'metric' && metric_key !== null) {
    throw badRequest(`metric_key must be left out for ${metric}`);
  }
  const isCompared = comparison === 'rises' || comparison === 'falls';
  if (isCompared && threshold === 0) throw badRequest('threshold must be above 0');
  if (comparison === 'falls' && threshold > 100) throw badRequest('threshold must be at most 100');
  if (isCompared && metric === 'quota_forecast_percent') {
    throw badRequest('comparison must be above or below for quota_forecast_percent');
  }
  const settings = { cool_down_hours, muted, account_ids, webhook_ids };
  return { ...rest, metric_key, event_name, period, baseline, ...settings };
}

/**
 * Removes from the settings the recipients that have left the game since the alert named them.
 * @param named The recipients that the alert has so far.
 * @throws ApiError 400 when any other recipient is not a member or a webhook of the game.
 */
export async function dropGoneRecipients(
  tx: Queryable,
  game_id: string,
  settings: AlertSettings,
  named: Recipients,
): Promise<AlertSettings> {
  if (settings.account_ids.length + settings.webhook_ids.length === 0) return settings;
  const found = await tx.queryOne<Recipients>(sql`
    SELECT ARRAY(SELECT account_id FROM game_members
                 WHERE game_id = ${game_id} AND account_id = ANY(${settings.account_ids}::uuid[]))
             AS account_ids,
           ARRAY(SELECT id FROM webhooks
                 WHERE game_id = ${game_id} AND id = ANY(${settings.webhook_ids}::uuid[]))
             AS webhook_ids`);
  const keep = (field: keyof Recipients, words: string) =>
    settings[field].filter((id) => {
      if (found![field].includes(id.toLowerCase())) return true;
      if (named[field].includes(id.toLowerCase())) return false;
      throw badRequest(`${field} must be ${words} of the game`);
    });
  return {
    ...settings,
    account_ids: keep('account_ids', 'members'),
    webhook_ids: keep('webhook_ids', 'webhooks'),
  };
}
