import type { Queryable } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** The maximum number of waiting messages that are counted. */
const MAX_COUNTED = 100_000;

/**
 * SQL, a common table expression that lists the webhooks with
 * waiting messages. Each webhook costs one look-up in an index.
 */
const waitingWebhooks = sql`
  waiting AS (
    (SELECT game_id, webhook_id FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
     ORDER BY game_id, webhook_id LIMIT 1)
    UNION ALL
    SELECT next.game_id, next.webhook_id
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT game_id, webhook_id FROM webhook_deliveries AS later
      WHERE next_attempt_at IS NOT NULL
        AND (later.game_id, later.webhook_id) > (waiting.game_id, waiting.webhook_id)
      ORDER BY game_id, webhook_id
      LIMIT 1) AS next
  )`;

/** Makes SQL that selects columns of one message of a webhook: the message that has been due for longest. */
export const selectOldestDue = (columns: Sql, game_id: Sql, webhook_id: Sql): Sql => sql`
  SELECT ${columns} FROM webhook_deliveries AS message
  WHERE message.game_id = ${game_id} AND message.webhook_id = ${webhook_id}
    AND next_attempt_at <= now()
  ORDER BY next_attempt_at
  LIMIT 1`;

const oldestOfWaiting = selectOldestDue(
  sql`next_attempt_at`,
  sql`waiting.game_id`,
  sql`waiting.webhook_id`,
);

/** Lists the games with messages that are due. */
export async function listDueGames(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ game_id: string }>(sql`
    WITH RECURSIVE ${waitingWebhooks}
    SELECT DISTINCT waiting.game_id FROM waiting CROSS JOIN LATERAL (${oldestOfWaiting}) AS due`);
  return rows.map(({ game_id }) => game_id);
}

/** The number of waiting messages, and the longest time for which one has been due. */
interface Waiting {
  messages: number;
  lag_seconds: number;
}

export async function measureWaiting(database: GroupedDatabase): Promise<Waiting> {
  const waiting: Waiting = { messages: 0, lag_seconds: 0 };
  await forEachGroup(database.groups, async (group) => {
    const { messages, lag_seconds } = await measureGroup(group);
    waiting.messages = Math.min(MAX_COUNTED, waiting.messages + messages);
    waiting.lag_seconds = Math.max(waiting.lag_seconds, lag_seconds);
  });
  return waiting;
}

async function measureGroup(database: Queryable): Promise<Waiting> {
  const row = await database.queryOne<Waiting>(sql`
    WITH RECURSIVE ${waitingWebhooks}
    SELECT (SELECT count(*)
            FROM (SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL
                  LIMIT ${MAX_COUNTED}::integer) AS counted) AS messages,
           COALESCE(extract(epoch FROM now() - min(next_attempt_at)), 0)::float8 AS lag_seconds
    FROM waiting CROSS JOIN LATERAL (${oldestOfWaiting}) AS due`);
  return row!;
}
