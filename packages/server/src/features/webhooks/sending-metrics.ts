import { roundInterval } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { shareReading } from '../../platform/metrics/shared-reading.ts';
import { measureWaiting } from './due-webhooks.ts';

/** A function that counts an attempt to send a message. */
export type CountAttempt = (outcome: 'delivered' | 'failed') => void;

/** Defines the metrics of the messages that are sent to webhooks. No metric has a label that names a game. */
export function defineSendingMetrics(metrics: Metrics, database: GroupedDatabase): CountAttempt {
  const measure = shareReading(() => measureWaiting(database), roundInterval(0, database));
  metrics.addGauge({
    name: 'overworld_webhook_messages_waiting',
    of_workers: 'first',
    help: 'Messages to webhooks that wait, for a sender or for their next attempt; at most 100,000 are counted.',
    read: async () => (await measure()).messages,
  });
  metrics.addGauge({
    name: 'overworld_webhook_lag_seconds',
    of_workers: 'first',
    help: 'Time since an attempt to send a message to a webhook was due, of the message that is due longest.',
    read: async () => (await measure()).lag_seconds,
  });
  return metrics.addLabelledCounter({
    name: 'overworld_webhook_attempts_total',
    help: 'Attempts to send a message to a webhook: delivered or failed.',
    label: 'outcome',
  });
}
