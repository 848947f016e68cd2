import type { Environment } from '@overworld/contract/common';
import { OLD_SECRET_HOURS } from '@overworld/contract/webhooks/webhooks';
import type { Webhook } from '@overworld/contract/webhooks/webhooks';
import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';

/** The primary key of a webhook. */
export interface WebhookKey {
  game_id: string;
  webhook_id: string;
}

/** The settings of a webhook that members choose. */
interface WebhookSettings {
  url: string;
  description: string;
  environments: readonly Environment[];
  events: readonly string[];
}

export type DisabledReason = NonNullable<Webhook['disabled_reason']>;

/**
 * Returns the text that identifies a webhook when its secret is encrypted. The secret can only be decrypted
 * with the same text, so a copy of it is useless in another webhook.
 */
export const ownerOfSecret = ({ game_id, webhook_id }: WebhookKey): string =>
  `${game_id} webhook ${webhook_id}`;

const columns = sql`id, url, description, environments, events, created_at,
  disabled_at, disabled_reason, failing_since, dropped_count,
  CASE WHEN old_secret_until > now() THEN old_secret_until END AS old_secret_until`;

/**
 * Makes a statement that writes a webhook and returns it.
 * @param change The SQL that writes the webhook. It becomes a common table
 * expression, because a cluster cannot compute `now()` in RETURNING.
 */
const answered = (change: Sql): Sql =>
  sql`WITH changed AS (${change} RETURNING *) SELECT ${columns} FROM changed`;

const isWebhook = ({ game_id, webhook_id }: WebhookKey) =>
  sql`game_id = ${game_id} AND id = ${webhook_id}`;

export const listWebhooks = (
  database: Queryable,
  game_id: string,
  { after, count }: PageRange,
): Promise<(Webhook & PagePosition)[]> =>
  database.query(sql`
    SELECT ${columns}, created_at::text AS created
    FROM webhooks
    WHERE game_id = ${game_id} AND ${isAfter(sql`created_at, id`, 'oldest_first', after)}
    ORDER BY webhooks.created_at, id
    LIMIT ${count}`);

/** Lists the settings of all webhooks of a game by id. */
export const listAllWebhooks = (
  database: Queryable,
  game_id: string,
): Promise<(WebhookSettings & Pick<Webhook, 'id' | 'disabled_reason'>)[]> =>
  database.query(sql`
    SELECT id, url, description, environments, events, disabled_reason
    FROM webhooks WHERE game_id = ${game_id} ORDER BY id`);

export const findWebhook = (database: Queryable, webhook: WebhookKey): Promise<Webhook | null> =>
  database.queryOne(sql`SELECT ${columns} FROM webhooks WHERE ${isWebhook(webhook)}`);

export const countWebhooks = (tx: Queryable, game_id: string): Promise<number> =>
  selectCount(tx, sql`webhooks WHERE game_id = ${game_id}`);

export async function insertWebhook(
  tx: Queryable,
  { game_id, webhook_id }: WebhookKey,
  { url, description, environments, events }: WebhookSettings,
  sealed_secret: string,
): Promise<Webhook> {
  const row = await tx.queryOne<Webhook>(
    answered(sql`
    INSERT INTO webhooks (game_id, id, url, description, environments, events, sealed_secret)
    VALUES (${game_id}, ${webhook_id}, ${url}, ${description}, ${environments}::text[],
            ${events}::text[], ${sealed_secret})`),
  );
  return row!;
}

/** Stores the given settings, and keeps the others. @returns null if the webhook does not exist. */
export const updateWebhook = (
  tx: Queryable,
  webhook: WebhookKey,
  { url, description, environments, events }: Partial<WebhookSettings>,
): Promise<Webhook | null> =>
  tx.queryOne(
    answered(sql`
    UPDATE webhooks
    SET url = COALESCE(${url}, url), description = COALESCE(${description}, description),
        environments = COALESCE(${environments}::text[], environments),
        events = COALESCE(${events}::text[], events)
    WHERE ${isWebhook(webhook)}`),
  );

/** Enables a webhook, and forgets its failures. */
export const enableWebhook = (tx: Queryable, webhook: WebhookKey): Promise<Webhook | null> =>
  tx.queryOne(
    answered(sql`
    UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL
    WHERE ${isWebhook(webhook)}`),
  );

/**
 * Disables a webhook. The caller must then give up the messages that wait to be sent to the webhook.
 * @returns null if the webhook was disabled before or does not exist.
 */
export const disableWebhook = (
  tx: Queryable,
  webhook: WebhookKey,
  reason: DisabledReason,
): Promise<Webhook | null> =>
  tx.queryOne(
    answered(sql`
    UPDATE webhooks SET disabled_at = now(), disabled_reason = ${reason}
    WHERE ${isWebhook(webhook)} AND disabled_at IS NULL`),
  );

/** Replaces the secret. For some hours, messages are also signed with the previous secret. */
export const replaceSecret = (
  tx: Queryable,
  webhook: WebhookKey,
  sealed_secret: string,
): Promise<Webhook | null> =>
  tx.queryOne(
    answered(sql`
    UPDATE webhooks
    SET old_sealed_secret = sealed_secret, sealed_secret = ${sealed_secret},
        old_secret_until = now() + ${OLD_SECRET_HOURS}::integer * interval '1 hour'
    WHERE ${isWebhook(webhook)}`),
  );

/**
 * Deletes a webhook. The caller must delete the webhook's messages after the commit.
 * @returns the URL of the deleted webhook; null if there was none.
 */
export async function deleteWebhook(tx: Queryable, webhook: WebhookKey): Promise<string | null> {
  const row = await tx.queryOne<{ url: string }>(sql`
    DELETE FROM webhooks WHERE ${isWebhook(webhook)} RETURNING url`);
  return row && row.url;
}
