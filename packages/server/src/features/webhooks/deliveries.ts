import type { Delivery } from '@overworld/contract/webhooks/deliveries';
import type { Webhook } from '@overworld/contract/webhooks/webhooks';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { lockGame } from '../../platform/game-lock.ts';
import { insertTest, renewDelivery } from './delivery-store.ts';
import { findWebhook } from './webhook-store.ts';
import type { WebhookKey } from './webhook-store.ts';
import { hideSecretParts } from './webhook-url.ts';
import { webhookNotFound } from './webhooks.ts';

/**
 * Sends a message that is tried once, and that no event has made.
 * @throws ApiError 404, 409 when the webhook is disabled or the last test waits.
 */
export function sendTest(
  database: Database,
  key: WebhookKey,
  type: string,
  data: object,
  actor: Actor,
): Promise<Delivery> {
  return database.transaction(async (tx) => {
    const webhook = await requireEnabled(tx, key);
    const delivery = await insertTest(tx, key, type, { game_id: key.game_id, ...data });
    if (delivery === null) throw conflict('The last test still waits: look at its answer first');
    await insertAuditEntry(tx, actor, {
      game_id: key.game_id,
      action: 'test_webhook',
      target: hideSecretParts(webhook.url),
      details: { webhook_id: key.webhook_id },
    });
    return delivery;
  });
}

/** Makes a message due now. @throws ApiError 404, 409 when the webhook is disabled. */
export function retryDelivery(
  database: Database,
  { delivery_id, ...key }: WebhookKey & { delivery_id: string },
  actor: Actor,
): Promise<Delivery> {
  return database.transaction(async (tx) => {
    const webhook = await requireEnabled(tx, key);
    const delivery = await renewDelivery(tx, key, delivery_id);
    if (delivery === null) throw notFound('Message not found');
    await insertAuditEntry(tx, actor, {
      game_id: key.game_id,
      action: 'retry_webhook_delivery',
      target: hideSecretParts(webhook.url),
      details: { webhook_id: key.webhook_id, delivery_id },
    });
    return delivery;
  });
}

/** The lock keeps the webhook as it is until the message is stored. */
async function requireEnabled(tx: Queryable, key: WebhookKey): Promise<Webhook> {
  await lockGame(tx, key.game_id);
  const webhook = await findWebhook(tx, key);
  if (webhook === null) throw webhookNotFound();
  if (webhook.disabled_at !== null) throw conflict('The webhook is disabled: enable it first');
  return webhook;
}
