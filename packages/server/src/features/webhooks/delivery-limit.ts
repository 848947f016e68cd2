import type { Database, Queryable } from '../../platform/database/database.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { limitOf } from '../../platform/limits/limits.ts';
import type { GameLimits } from '../../platform/limits/limits.ts';

/** A game past its limit is trimmed to this share of it, so that it is not trimmed again at once. */
const KEPT_SHARE = 0.9;
const BATCH_ROWS = 2_000;

/**
 * Trims the messages of games that have more on record than they may have: first the oldest that were
 * sent, then the oldest that wait. The latter are counted at their webhooks.
 */
export async function trimDeliveries(database: Database): Promise<void> {
  const games = await database.query<GameLimits & { game_id: string; used: number }>(sql`
    SELECT game_id, used, tier, limit_overrides
    FROM (SELECT game_id, count(*) AS used FROM webhook_deliveries GROUP BY game_id) AS counted
    JOIN games ON games.id = game_id`);
  for (const { game_id, used, ...game } of games) {
    const limit = limitOf(game, 'webhook_deliveries');
    if (used > limit) await trimGame(database, game_id, used - Math.floor(limit * KEPT_SHARE));
  }
}

async function trimGame(database: Database, game_id: string, count: number): Promise<void> {
  let left = count;
  for (const trim of [deleteSent, dropWaiting]) {
    let deleted = 0;
    do {
      const size = Math.min(left, BATCH_ROWS);
      const run = () => database.transaction((tx) => trim(tx, game_id, size));
      // A member who disables a webhook locks it before its messages.
      deleted = size > 0 ? await retryDeadlocks(run) : 0;
      left -= deleted;
    } while (deleted > 0 && left > 0);
  }
}

const oldest = (game_id: string, is_wanted: Sql, size: number): Sql => sql`
  ARRAY(SELECT ctid FROM webhook_deliveries WHERE game_id = ${game_id} AND ${is_wanted}
        ORDER BY created_at LIMIT ${size}::integer)`;

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
