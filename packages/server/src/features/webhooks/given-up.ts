import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { sql } from '../../platform/database/sql.ts';
import type { WebhookKey } from './webhook-store.ts';

/** The number of rows that one statement writes. Such a statement takes about 20 ms. */
const BATCH_ROWS = 1_000;

/**
 * Gives up the messages that wait for a disabled webhook, in short transactions. It stops if the webhook is
 * enabled meanwhile. No server sends messages to a disabled webhook, and it gets no new messages.
 */
export const giveUpWaiting = (
  database: Database,
  { game_id, webhook_id }: WebhookKey,
): Promise<void> =>
  inBatches(() =>
    database.execute(sql`
      WITH disabled AS MATERIALIZED (
        SELECT id FROM webhooks
        WHERE game_id = ${game_id} AND id = ${webhook_id} AND disabled_at IS NOT NULL
        FOR SHARE
      )
      UPDATE webhook_deliveries
      SET next_attempt_at = NULL,
          error = COALESCE(error, 'The webhook was disabled before it was sent')
      WHERE game_id = ${game_id} AND next_attempt_at IS NOT NULL
        AND id = ANY (ARRAY(
          SELECT message.id FROM disabled
          JOIN webhook_deliveries AS message
            ON game_id = ${game_id} AND webhook_id = disabled.id AND next_attempt_at IS NOT NULL
          LIMIT ${BATCH_ROWS}::integer))`),
  );

/** Tells whether messages wait for a disabled webhook, which are about to be given up. */
export async function isGivingUp(
  tx: Queryable,
  { game_id, webhook_id }: WebhookKey,
): Promise<boolean> {
  const waiting = await tx.queryOne(sql`
    SELECT FROM webhook_deliveries
    WHERE game_id = ${game_id} AND webhook_id = ${webhook_id} AND next_attempt_at IS NOT NULL
    LIMIT 1`);
  return waiting !== null;
}

/**
 * Deletes the messages of a deleted webhook, in short transactions. It stops if a file makes a webhook of the
 * same id meanwhile, which has messages of its own.
 */
export const deleteMessages = (
  database: Database,
  { game_id, webhook_id }: WebhookKey,
): Promise<void> =>
  inBatches(() =>
    database.execute(sql`
      DELETE FROM webhook_deliveries
      WHERE game_id = ${game_id} AND id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE game_id = ${game_id} AND webhook_id = ${webhook_id} AND NOT EXISTS (
          SELECT FROM webhooks WHERE game_id = ${game_id} AND id = ${webhook_id})
        LIMIT ${BATCH_ROWS}::integer))`),
  );

/**
 * Deletes what is left of the messages of an earlier webhook of the same id, so that a new one never sends
 * them. Mostly there are none.
 */
export async function deleteEarlierMessages(
  tx: Queryable,
  { game_id, webhook_id }: WebhookKey,
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM webhook_deliveries WHERE game_id = ${game_id} AND webhook_id = ${webhook_id}`);
}

/**
 * Gives up messages that still wait for disabled webhooks: a server may have stopped before it gave up all of
 * them, and a transaction that was open when the webhook was disabled may have added some.
 */
export async function finishGivingUp(database: Database): Promise<void> {
  const disabled = await database.query<WebhookKey>(sql`
    SELECT game_id, id AS webhook_id FROM webhooks
    WHERE disabled_at IS NOT NULL AND EXISTS (
      SELECT FROM webhook_deliveries
      WHERE webhook_deliveries.game_id = webhooks.game_id AND webhook_id = webhooks.id
        AND next_attempt_at IS NOT NULL)`);
  for (const webhook of disabled) await giveUpWaiting(database, webhook);
}

/**
 * Repeats a statement until it finds no rows. Deadlocks can happen: other work locks the rows in another
 * order.
 */
async function inBatches(change: () => Promise<number>): Promise<void> {
  while ((await retryDeadlocks(change)) > 0);
}
