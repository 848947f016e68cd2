import type { WatchedMetric } from '@overworld/contract/alerts/alert-words';
import type { Alert } from '@overworld/contract/alerts/alerts';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { badRequest } from '../../platform/errors.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { KEPT_HISTORY_DAYS } from '@overworld/contract/alerts/alert-history';
import type { listAlertChanges } from '@overworld/contract/alerts/alert-history';
import type { SuccessOf } from '@overworld/contract/operation';

/** Identifies an alert. */
export interface AlertKey {
  game_id: string;
  alert_id: string;
}

/** The settings of an alert that members choose. */
export type AlertSettings = Pick<
  Alert,
  | 'name'
  | 'environment'
  | 'metric'
  | 'metric_key'
  | 'event_name'
  | 'period'
  | 'comparison'
  | 'threshold'
  | 'baseline'
  | 'cool_down_hours'
  | 'muted'
  | 'account_ids'
  | 'webhook_ids'
>;

export type Recipients = Pick<AlertSettings, 'account_ids' | 'webhook_ids'>;

/**
 * SQL of a common table expression (WITH) that `alertColumns` reads. The webhooks of a game may be on another
 * node than its alerts, so the webhooks are read once, and not for each alert.
 */
export const presentWebhooks = (game_id: string): Sql => sql`
  present_webhooks AS MATERIALIZED (
    SELECT id, disabled_at FROM webhooks WHERE game_id = ${game_id})`;

/** SQL of the metric of the game that an alert watches; null for an alert of another kind. */
const definedMetric = sql`(
  SELECT json_build_object('name', metrics.name, 'kind', definition ->> 'kind',
                           'unit', definition ->> 'unit', 'currency', definition ->> 'currency')
  FROM metrics
  WHERE metrics.game_id = alerts.game_id AND metrics.key = alerts.metric_key) AS defined_metric`;

/**
 * SQL of the columns of an alert. Members and webhooks that are no longer in the game are left out of the
 * recipients.
 */
export const alertColumns = sql`id, name, environment, metric, metric_key, event_name, period, comparison, threshold, baseline,
  cool_down_hours, muted, ${definedMetric},
  ARRAY(SELECT account_id FROM game_members
        WHERE game_members.game_id = alerts.game_id AND account_id = ANY(account_ids)
        ORDER BY array_position(account_ids, account_id)) AS account_ids,
  ARRAY(SELECT present.id FROM present_webhooks AS present WHERE present.id = ANY(webhook_ids)
        ORDER BY array_position(webhook_ids, present.id)) AS webhook_ids,
  ARRAY(SELECT present.id FROM present_webhooks AS present
        WHERE present.id = ANY(webhook_ids) AND present.disabled_at IS NOT NULL
        ORDER BY array_position(webhook_ids, present.id)) AS disabled_webhook_ids,
  created_at, state, state_since, last_period, last_value, last_baseline_value, next_check_at,
  problem`;

/**
 * SQL that makes a change and returns the changed alert.
 * @param change SQL that writes one alert.
 */
const answered = (game_id: string, change: Sql): Sql => sql`
  WITH changed AS (${change} RETURNING *), ${presentWebhooks(game_id)}
  SELECT ${alertColumns} FROM changed AS alerts`;

export const isAlert = ({ game_id, alert_id }: AlertKey) =>
  sql`game_id = ${game_id} AND id = ${alert_id}`;

export const listAlerts = (
  database: Queryable,
  { game_id, environment }: Tenant,
  { after, count }: PageRange,
): Promise<(Alert & PagePosition)[]> =>
  database.query(sql`
    WITH ${presentWebhooks(game_id)}
    SELECT ${alertColumns}, created_at::text AS created
    FROM alerts
    WHERE game_id = ${game_id} AND environment = ${environment}
      AND ${isAfter(sql`created_at, id`, 'oldest_first', after)}
    ORDER BY alerts.created_at, id
    LIMIT ${count}`);

export const findAlert = (database: Queryable, alert: AlertKey): Promise<Alert | null> =>
  database.queryOne(sql`
    WITH ${presentWebhooks(alert.game_id)}
    SELECT ${alertColumns} FROM alerts WHERE ${isAlert(alert)}`);

/** Finds the stored recipients of an alert, including those that have left the game. */
export const findRecipients = (tx: Queryable, alert: AlertKey): Promise<Recipients | null> =>
  tx.queryOne(sql`SELECT account_ids, webhook_ids FROM alerts WHERE ${isAlert(alert)}`);

/** The settings of a stored alert. Members that have left the game are still among its recipients. */
export type StoredSettings = AlertSettings & { id: string };

/** Lists all alerts of a game, the oldest first. */
export const listSettings = (tx: Queryable, game_id: string): Promise<StoredSettings[]> =>
  tx.query(sql`
    WITH ${presentWebhooks(game_id)}
    SELECT id, name, environment, metric, metric_key, event_name, period, comparison, threshold, baseline,
           cool_down_hours, muted, account_ids,
           ARRAY(SELECT present.id FROM present_webhooks AS present
                 WHERE present.id = ANY(webhook_ids)) AS webhook_ids
    FROM alerts WHERE game_id = ${game_id} ORDER BY created_at, id`);

export async function listWebhookIds(tx: Queryable, game_id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`SELECT id FROM webhooks WHERE game_id = ${game_id}`,
  );
  return rows.map(({ id }) => id);
}

export const countAlerts = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`alerts WHERE game_id = ${game_id}`);

export async function insertAlert(
  tx: Queryable,
  game_id: string,
  settings: AlertSettings,
  next_check_at: string,
): Promise<Alert> {
  const { name, environment, metric, metric_key, event_name, period } = settings;
  const { comparison, threshold } = settings;
  const { baseline, cool_down_hours, muted, account_ids, webhook_ids } = settings;
  const row = await tx.queryOne<Alert>(
    answered(
      game_id,
      sql`
    INSERT INTO alerts (game_id, name, environment, metric, metric_key, event_name, period, comparison,
      threshold, baseline, cool_down_hours, muted, account_ids, webhook_ids, next_check_at)
    VALUES (${game_id}, ${name}, ${environment}, ${metric}, ${metric_key}, ${event_name}, ${period},
      ${comparison}, ${threshold}, ${baseline}, ${cool_down_hours}, ${muted},
      ${account_ids}::uuid[], ${webhook_ids}::uuid[], ${next_check_at})`,
    ),
  );
  return row!;
}

/**
 * Stores all settings. An alert whose rule changes loses its state. Returns null when there is no such alert.
 */
export const updateAlert = (
  tx: Queryable,
  alert: AlertKey,
  settings: AlertSettings,
  next_check_at: string,
): Promise<Alert | null> => {
  const { name, environment, metric, metric_key, event_name, period } = settings;
  const { comparison, threshold } = settings;
  const { baseline, cool_down_hours, muted, account_ids, webhook_ids } = settings;
  const isSame = sql`
    (environment, metric, metric_key, event_name, period, comparison, threshold, baseline)
      IS NOT DISTINCT FROM (${environment}::environment, ${metric}::text, ${metric_key}::text,
        ${event_name}::text,
        ${period}::text, ${comparison}::text, ${threshold}::float8, ${baseline}::text)`;
  return tx.queryOne(
    answered(
      alert.game_id,
      sql`
    UPDATE alerts
    SET name = ${name}, environment = ${environment}, metric = ${metric},
        metric_key = ${metric_key}, event_name = ${event_name}, period = ${period}, comparison = ${comparison},
        threshold = ${threshold}, baseline = ${baseline}, cool_down_hours = ${cool_down_hours},
        muted = ${muted}, account_ids = ${account_ids}::uuid[],
        webhook_ids = ${webhook_ids}::uuid[],
        next_check_at = CASE WHEN ${isSame} THEN next_check_at ELSE ${next_check_at} END,
        state = CASE WHEN ${isSame} THEN state ELSE 'unknown' END,
        state_since = CASE WHEN ${isSame} THEN state_since ELSE moment END,
        last_period = CASE WHEN ${isSame} THEN last_period END,
        last_value = CASE WHEN ${isSame} THEN last_value END,
        last_baseline_value = CASE WHEN ${isSame} THEN last_baseline_value END,
        problem = CASE WHEN ${isSame} THEN problem END,
        problem_told_at = CASE WHEN ${isSame} THEN problem_told_at END,
        notified_at = CASE WHEN ${isSame} THEN notified_at END,
        is_notified = is_notified AND ${isSame}
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isAlert(alert)}`,
    ),
  );
};

export async function renameAlert(tx: Queryable, alert: AlertKey, name: string): Promise<void> {
  await tx.execute(sql`UPDATE alerts SET name = ${name} WHERE ${isAlert(alert)}`);
}

/** @returns the name of the deleted alert; null when there was none. */
export async function deleteAlert(tx: Queryable, alert: AlertKey): Promise<string | null> {
  const row = await tx.queryOne<{ name: string }>(
    sql`DELETE FROM alerts WHERE ${isAlert(alert)} RETURNING name`,
  );
  if (row === null) return null;
  await tx.execute(sql`
    DELETE FROM alert_changes
    WHERE game_id = ${alert.game_id} AND alert_id = ${alert.alert_id}`);
  return row.name;
}

/** Notes the time of a test of an alert. @returns false when the last test was less than a minute ago. */
export async function noteTest(tx: Queryable, alert: AlertKey): Promise<boolean> {
  const noted = await tx.execute(sql`
    UPDATE alerts SET tested_at = now()
    WHERE ${isAlert(alert)}
      AND (tested_at IS NULL OR tested_at < now() - interval '1 minute')`);
  return noted > 0;
}

type Change = SuccessOf<typeof listAlertChanges>['changes'][number];

/** Lists the changes of an alert's state, the newest first. */
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

/** Finds the metric of the game that a rule watches; null if the game has none of this key. */
export async function findWatchedMetric(
  database: Queryable,
  game_id: string,
  key: string,
): Promise<WatchedMetric | null> {
  const row = await database.queryOne<{ defined_metric: WatchedMetric | null }>(sql`
    SELECT ${definedMetric}
    FROM (SELECT ${game_id}::uuid AS game_id, ${key}::text AS metric_key) AS alerts`);
  return row?.defined_metric ?? null;
}

/** @throws ApiError 400 when a rule watches a metric that the game does not have. */
export async function requireMetric(
  tx: Queryable,
  game_id: string,
  { metric_key }: Pick<AlertSettings, 'metric_key'>,
): Promise<void> {
  if (metric_key === null || (await findWatchedMetric(tx, game_id, metric_key)) !== null) return;
  throw badRequest(`metric_key: the game has no metric ${JSON.stringify(metric_key)}`);
}
