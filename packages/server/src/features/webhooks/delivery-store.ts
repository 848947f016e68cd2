import { KEPT_DELIVERY_DAYS } from '@overworld/contract/webhooks/deliveries';
import type { Delivery } from '@overworld/contract/webhooks/deliveries';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';
import { bodyOf } from '../../platform/webhooks/post-event.ts';
import type { WebhookKey } from './webhook-store.ts';

/** SQL for the state of a message. */
const state = sql`CASE WHEN next_attempt_at IS NOT NULL THEN 'waiting'
  WHEN delivered_at IS NOT NULL THEN 'delivered' ELSE 'failed' END`;

const columns = sql`id, event_type, environment, ${state} AS state, created_at, attempts,
  next_attempt_at, last_attempt_at, answer_status, answer_text, error, duration_ms, body`;

const isOfWebhook = ({ game_id, webhook_id }: WebhookKey): Sql =>
  sql`game_id = ${game_id} AND webhook_id = ${webhook_id}`;

/** Lists messages of a webhook, the newest first. */
export const listDeliveries = (
  database: Queryable,
  webhook: WebhookKey,
  wanted: Delivery['state'] | undefined,
  { after, count }: PageRange,
): Promise<(Delivery & PagePosition)[]> =>
  database.query(sql`
    SELECT ${columns}, created_at::text AS created
    FROM webhook_deliveries
    WHERE ${isOfWebhook(webhook)} AND (${wanted}::text IS NULL OR ${state} = ${wanted})
      AND ${isAfter(sql`created_at, id`, 'newest_first', after)}
    ORDER BY webhook_deliveries.created_at DESC, id DESC
    LIMIT ${count}`);

/** Inserts a message that is tried only once. Returns null while the last message of its type still waits. */
export const insertTest = (
  tx: Queryable,
  webhook: WebhookKey,
  type: string,
  data: object,
): Promise<Delivery | null> =>
  tx.queryOne(sql`
    INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, step, body)
    SELECT ${webhook.game_id}, ${webhook.webhook_id}, ${type}, -1,
           ${bodyOf(sql`${type}::text`, sql`${JSON.stringify(data)}::json`)}
    WHERE NOT EXISTS (
      SELECT FROM webhook_deliveries
      WHERE ${isOfWebhook(webhook)} AND event_type = ${type} AND next_attempt_at IS NOT NULL)
    RETURNING ${columns}`);

/** Makes a message due now, with further attempts for a day. Returns null when there is no such message. */
export const renewDelivery = (
  tx: Queryable,
  webhook: WebhookKey,
  delivery_id: string,
): Promise<Delivery | null> =>
  tx.queryOne(sql`
    UPDATE webhook_deliveries
    -- A message that is being sent keeps its lease, so that it is not sent twice at once.
    SET next_attempt_at = CASE WHEN leased_until > moment THEN next_attempt_at ELSE moment END,
        step = 0, delivered_at = NULL
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isOfWebhook(webhook)} AND id = ${delivery_id}
    RETURNING ${columns}`);

/** The most rows that one statement deletes. */
const BATCH_ROWS = 2_000;

/** Deletes messages that are too old for the record, and messages that wait for deleted webhooks. */
export async function deleteOldDeliveries(database: Database): Promise<void> {
  const old = sql`created_at < now() - ${KEPT_DELIVERY_DAYS}::integer * interval '1 day'`;
  const orphaned = sql`
    next_attempt_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM webhooks
      WHERE webhooks.game_id = webhook_deliveries.game_id AND webhooks.id = webhook_id)`;
  for (const is_deleted of [old, orphaned]) {
    let deleted: number;
    do {
      deleted = await database.execute(sql`
        DELETE FROM webhook_deliveries
        WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM webhook_deliveries WHERE ${is_deleted} LIMIT ${BATCH_ROWS}::integer))`);
    } while (deleted === BATCH_ROWS);
  }
}
