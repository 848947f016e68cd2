import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { selectOldestDue } from './due-webhooks.ts';
import type { Attempt } from './send-message.ts';
import type { WebhookKey } from './webhook-store.ts';

/** A message that this server may send until its lease ends. */
export interface ClaimedDelivery extends WebhookKey {
  id: string;
  event_type: string;
  body: string;
  url: string;
  sealed_secret: string;
  old_sealed_secret: string | null;
  /**
   * The number of attempts, this one included. It proves the claim, because a later claim has another
   * number.
   */
  attempts: number;
  step: number;
}

const firstDue = selectOldestDue(sql`next_attempt_at`, sql`webhooks.game_id`, sql`webhooks.id`);

/**
 * Claims the message that has been due longest among the messages of a game. No other server takes this
 * message until the lease ends. The messages of busy webhooks are not read, however many wait.
 * @param busy Webhooks that have enough messages in flight.
 */
export const claimDelivery = (
  database: Queryable,
  game_id: string,
  busy: readonly string[],
  lease_ms: number,
): Promise<ClaimedDelivery | null> =>
  database.queryOne(sql`
    WITH due AS (
      SELECT message.id, url, sealed_secret, old_sealed_secret
      FROM (
        SELECT id, url, sealed_secret,
               CASE WHEN old_secret_until > now() THEN old_sealed_secret END AS old_sealed_secret
        FROM webhooks
        CROSS JOIN LATERAL (${firstDue}) AS oldest
        WHERE game_id = ${game_id} AND disabled_at IS NULL AND id <> ALL(${[...busy]}::uuid[])
        ORDER BY oldest.next_attempt_at
      ) AS webhook
      -- Another server may have locked the oldest message of a webhook, and all others of it too.
      CROSS JOIN LATERAL (
        ${selectOldestDue(sql`message.id`, sql`${game_id}`, sql`webhook.id`)} FOR UPDATE SKIP LOCKED
      ) AS message
      LIMIT 1
    )
    UPDATE webhook_deliveries AS delivery
    SET attempts = attempts + 1,
        next_attempt_at = now() + ${lease_ms}::integer * interval '1 millisecond',
        leased_until = now() + ${lease_ms}::integer * interval '1 millisecond'
    FROM due
    WHERE delivery.game_id = ${game_id} AND delivery.id = due.id
    RETURNING delivery.game_id, webhook_id, delivery.id, event_type, body, url, sealed_secret,
      old_sealed_secret, attempts, step`);

/** Makes SQL that is true for the row of a message as long as nobody has claimed the message again. */
const isClaimed = ({ game_id, id, attempts }: ClaimedDelivery) =>
  sql`game_id = ${game_id} AND id = ${id} AND attempts = ${attempts}`;

/**
 * Records an attempt.
 * @param delay_ms The time until the next attempt; null if there is none.
 */
export async function recordAttempt(
  tx: Queryable,
  claimed: ClaimedDelivery,
  { answer_status, answer_text, error, duration_ms }: Attempt,
  delay_ms: number | null,
): Promise<void> {
  await tx.execute(sql`
    UPDATE webhook_deliveries
    SET leased_until = NULL, last_attempt_at = now(), step = CASE WHEN step < 0 THEN step ELSE step + 1 END,
        delivered_at = CASE WHEN ${error}::text IS NULL THEN moment END,
        next_attempt_at = now() + ${delay_ms}::bigint * interval '1 millisecond',
        answer_status = ${answer_status}, answer_text = ${answer_text}, error = ${error},
        duration_ms = ${duration_ms}
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isClaimed(claimed)}`);
}

/** Gives back a claim that was not used, so any server may take the message at once. */
export async function releaseClaim(database: Queryable, claimed: ClaimedDelivery): Promise<void> {
  await database.execute(sql`
    UPDATE webhook_deliveries SET leased_until = NULL, next_attempt_at = now()
    WHERE ${isClaimed(claimed)}`);
}

/** Records a success. Writes only if the webhook is marked as failing. */
export async function noteSuccess(
  database: Queryable,
  { game_id, webhook_id }: WebhookKey,
): Promise<void> {
  await database.execute(sql`
    UPDATE webhooks SET failing_since = NULL
    WHERE game_id = ${game_id} AND id = ${webhook_id} AND failing_since IS NOT NULL`);
}

/**
 * Records a failure.
 * @returns the time since the first failure after the last success, or null if the webhook is gone.
 */
export async function noteFailure(
  tx: Queryable,
  { game_id, webhook_id }: WebhookKey,
): Promise<{ failing_hours: number; is_disabled: boolean } | null> {
  return tx.queryOne(sql`
    UPDATE webhooks SET failing_since = COALESCE(failing_since, moment)
    FROM (SELECT now() AS moment) AS clock
    WHERE game_id = ${game_id} AND id = ${webhook_id}
    RETURNING extract(epoch FROM moment - failing_since)::float8 / 3600 AS failing_hours,
      disabled_at IS NOT NULL AS is_disabled`);
}
