import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { limitOf } from '../../platform/limits/limits.ts';
import type { GameLimits } from '../../platform/limits/limits.ts';

/** A game past its limit is trimmed to this share of the limit, so it need not be trimmed again soon. */
const KEPT_SHARE = 0.9;
/**
 * The most messages that one batch deletes. Each batch reads all messages of the game, so batches are large.
 */
const BATCH_ROWS = 20_000;
/**
 * A message is visible to other transactions at most this many seconds after its `created_at`, because its
 * transaction must commit first.
 */
const COMMIT_SECONDS = 10;

/**
 * Makes the trimmer, which a timer calls. If a game has more messages on record than its limit allows, the
 * trimmer deletes the oldest sent messages first, then the oldest waiting ones. Of both, it deletes messages
 * about players before all others, because anybody who has the game can make players and their unlocks. Then
 * it deletes those of erasures, because a deletion of many players posts one for each. Each webhook counts the
 * waiting messages that it loses.
 *
 * The first call counts all messages, and each later call adds the new messages. Deleted messages are not
 * subtracted, so a game that seems past its limit is counted again before it is trimmed.
 */
export function createDeliveryTrimmer(database: Database): () => Promise<void> {
  const counts = new Map<string, number>();
  let counted_until = '-infinity';

  return async () => {
    const now = await database.queryOne<{ at: string }>(sql`
      SELECT (now() - ${COMMIT_SECONDS}::integer * interval '1 second')::text AS at`);
    const games = await database.query<GameLimits & { game_id: string; added: number }>(sql`
      SELECT game_id, added, tier, limit_overrides
      FROM (SELECT game_id, count(*) AS added FROM webhook_deliveries
            WHERE created_at >= ${counted_until}::timestamptz GROUP BY game_id) AS counted
      JOIN games ON games.id = game_id`);
    counted_until = now!.at;
    for (const { game_id, added } of games) {
      counts.set(game_id, (counts.get(game_id) ?? 0) + added);
    }
    for (const { game_id, ...game } of games) {
      const limit = limitOf(game, 'webhook_deliveries');
      if (counts.get(game_id)! <= limit) continue;
      const used = await selectCount(database, sql`webhook_deliveries WHERE game_id = ${game_id}`);
      const excess = used > limit ? used - Math.floor(limit * KEPT_SHARE) : 0;
      await trimGame(database, game_id, excess);
      counts.set(game_id, used - excess);
    }
  };
}

async function trimGame(database: Database, game_id: string, count: number): Promise<void> {
  let left = count;
  for (const trim of [deleteSent, dropWaiting]) {
    let deleted = 0;
    do {
      const size = Math.min(left, BATCH_ROWS);
      const run = () => database.transaction((tx) => trim(tx, game_id, size));
      // A deadlock can happen: a member who disables a webhook locks the webhook before its messages.
      deleted = size > 0 ? await retryDeadlocks(run) : 0;
      left -= deleted;
    } while (deleted > 0 && left > 0);
  }
}

const oldest = (game_id: string, is_wanted: Sql, size: number): Sql => sql`
  ARRAY(SELECT ctid FROM webhook_deliveries WHERE game_id = ${game_id} AND ${is_wanted}
        ORDER BY player_id IS NULL, event_type <> 'player.erased', created_at LIMIT ${size}::integer)`;

const deleteSent = (tx: Queryable, game_id: string, size: number): Promise<number> =>
  tx.execute(sql`
    DELETE FROM webhook_deliveries
    WHERE ctid = ANY (${oldest(game_id, sql`next_attempt_at IS NULL`, size)})`);

async function dropWaiting(tx: Queryable, game_id: string, size: number): Promise<number> {
  const dropped = await tx.query<{ webhook_id: string }>(sql`
    DELETE FROM webhook_deliveries
    WHERE ctid = ANY (${oldest(game_id, sql`next_attempt_at IS NOT NULL`, size)})
    RETURNING webhook_id`);
  await tx.execute(sql`
    UPDATE webhooks SET dropped_count = dropped_count + dropped.count
    FROM (SELECT webhook_id, count(*) FROM unnest(
            ${dropped.map(({ webhook_id }) => webhook_id)}::uuid[]) AS webhook_id
          GROUP BY webhook_id) AS dropped
    WHERE game_id = ${game_id} AND webhooks.id = dropped.webhook_id`);
  return dropped.length;
}
