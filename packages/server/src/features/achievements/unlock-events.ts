import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { apiTimestamp, insertDeliveries } from '../../platform/webhooks/post-event.ts';

/**
 * SQL that turns rows of `unlocks` into events for webhooks. The names and points come from the table
 * `achievements`.
 */
const eventsOf = (unlocks: Sql): Sql => sql`(
  SELECT unlocked.game_id, environment, player_id, 'achievement.unlocked' AS type,
         json_build_object(
           'game_id', unlocked.game_id, 'environment', environment, 'player_id', player_id,
           'achievement', json_build_object('key', key, 'name', name, 'points', points),
           'unlocked_at', ${apiTimestamp(sql`now()`)}) AS data
  FROM ${unlocks} AS unlocked
  JOIN achievements ON achievements.game_id = unlocked.game_id AND key = achievement_key
) AS happened`;

/**
 * SQL of a common table expression. It makes messages to webhooks from the rows of the common table
 * expression `inserted`.
 */
export const postUnlocks: Sql = sql`posted AS (${insertDeliveries(eventsOf(sql`inserted`))}), `;

/** Tells webhooks about an unlock, in the transaction that has inserted it. */
export async function postUnlock(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  achievement_key: string,
): Promise<void> {
  const unlock = sql`(
    SELECT ${game_id}::uuid AS game_id, ${environment}::environment AS environment,
           ${player_id}::text AS player_id, ${achievement_key}::text AS achievement_key)`;
  await tx.execute(insertDeliveries(eventsOf(unlock)));
}
