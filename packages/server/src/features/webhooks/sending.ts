import type { BaseLogger } from 'pino';
import type { Background } from '../../platform/background.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { trimDeliveries } from './delivery-limit.ts';
import { deleteOldDeliveries } from './delivery-store.ts';
import { createWebhookSender } from './sender.ts';
import type { WebhookSender } from './sender.ts';

/** Sends messages to webhooks from now on, and keeps their record short. */
export function startSending(options: {
  database: Database;
  listeners: Listeners;
  logger: BaseLogger;
  background: Background;
  allow_private: boolean;
}): WebhookSender {
  const { database, background } = options;
  const sender = createWebhookSender(options);
  background.every(1_000, 'sending messages to webhooks', async () => sender.sendDue());
  background.every(60_000, 'trimming messages to webhooks', () => trimDeliveries(database));
  background.every(600_000, 'forgetting old messages to webhooks', () =>
    deleteOldDeliveries(database),
  );
  return sender;
}
