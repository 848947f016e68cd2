import type { BaseLogger } from 'pino';
import { forEachGroup, roundInterval } from '../../platform/database/each-group.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Listeners } from '../../platform/webhooks/listeners.ts';
import { createDeliveryTrimmer } from './delivery-limit.ts';
import { deleteOldDeliveries } from './delivery-store.ts';
import { finishGivingUp } from './given-up.ts';
import { createWebhookSender } from './sender.ts';
import type { WebhookSender } from './sender.ts';
import { defineSendingMetrics } from './sending-metrics.ts';

/** Starts sending messages to webhooks, and deleting old messages from their record. */
export function startSending(
  options: Pick<Platform, 'database' | 'background' | 'metrics'> & {
    listeners: Listeners;
    logger: BaseLogger;
    allow_private: boolean;
  },
): WebhookSender {
  const { database, background, metrics } = options;
  const countAttempt = defineSendingMetrics(metrics, database);
  const sender = createWebhookSender({ ...options, countAttempt });
  background.every(1_000, 'sending messages to webhooks', async () => sender.sendDue());
  const trimmers = database.groups.map(createDeliveryTrimmer);
  background.onOneServer(roundInterval(60_000, database), 'trimming messages to webhooks', () =>
    forEachGroup(trimmers, (trim) => trim()),
  );
  background.every(roundInterval(5_000, database), 'giving up messages of disabled webhooks', () =>
    forEachGroup(database.groups, finishGivingUp),
  );
  background.onOneServer(600_000, 'forgetting old messages to webhooks', () =>
    forEachGroup(database.groups, deleteOldDeliveries),
  );
  return sender;
}
