import type { getFirstDay as operation } from '@overworld/contract/analytics/first-day';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

/**
 * Finds the first day on which an environment has events.
 * @throws ApiError 404 when the game is gone.
 */
export async function getFirstDay(
  database: Queryable,
  { game_id, environment }: Tenant,
): Promise<SuccessOf<typeof operation>> {
  const row = await database.queryOne<SuccessOf<typeof operation>>(sql`
    SELECT time_zone,
           (SELECT day::text FROM daily_event_counts AS counts
            WHERE counts.game_id = games.id AND environment = ${environment}::environment
              AND event_count > 0
            ORDER BY day LIMIT 1) AS first_day
    FROM games WHERE id = ${game_id}`);
  if (row === null) throw notFound('Game not found');
  return row;
}
