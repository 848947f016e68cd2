import type { Delivery } from '@overworld/contract/webhooks/deliveries';
import type { Webhook } from '@overworld/contract/webhooks/webhooks';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import { insertTest, renewDelivery } from './delivery-store.ts';
import { findWebhook } from './webhook-store.ts';
import type { WebhookKey } from './webhook-store.ts';
import { hideSecretParts } from './webhook-url.ts';
import { webhookNotFound } from './webhooks.ts';

/**
 * Sends a test message. It does not come from an event, and is tried only once.
 * @throws ApiError 404 when the webhook is unknown, 409 when it
 * is disabled or its last test message still waits to be sent.
 */
export function sendTest(
  database: Database,
  key: WebhookKey,
  type: string,
  data: object,
  actor: Actor,
): Promise<Delivery> {
  return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    const webhook = await requireEnabled(tx, key);
    const delivery = await insertTest(tx, key, type, { game_id: key.game_id, ...data });
    if (delivery === null) throw conflict('The last test still waits: look at its answer first');
    await record('test_webhook', hideSecretParts(webhook.url), { webhook_id: key.webhook_id });
    return delivery;
  });
}

/**
 * Schedules a message to be sent now. @throws ApiError 404 when it is unknown, 409 when its webhook is
 * disabled.
 */
export function retryDelivery(
  database: Database,
  { delivery_id, ...key }: WebhookKey & { delivery_id: string },
  actor: Actor,
): Promise<Delivery> {
  return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    const webhook = await requireEnabled(tx, key);
    const delivery = await renewDelivery(tx, key, delivery_id);
    if (delivery === null) throw notFound('Message not found');
    await record('retry_webhook_delivery', hideSecretParts(webhook.url), {
      webhook_id: key.webhook_id,
      delivery_id,
    });
    return delivery;
  });
}

/**
 * Finds an enabled webhook. The caller has locked the game, so the webhook stays unchanged until the message
 * is stored.
 */
async function requireEnabled(tx: Queryable, key: WebhookKey): Promise<Webhook> {
  const webhook = await findWebhook(tx, key);
  if (webhook === null) throw webhookNotFound();
  if (webhook.disabled_at !== null) throw conflict('The webhook is disabled: enable it first');
  return webhook;
}
