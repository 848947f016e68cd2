import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** SQL, the first day of this UTC calendar month. */
export const thisMonth = sql`date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** Events of this UTC calendar month by game, for the games that have sent any. */
export async function listEventsThisMonth(
  database: Database,
  game_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database.query<{ game_id: string; used: number }>(sql`
    SELECT game_id, used
    FROM event_usage
    WHERE game_id = ANY(${game_ids}::uuid[]) AND month = ${thisMonth}`);
  return new Map(rows.map(({ game_id, used }) => [game_id, used]));
}

/** Events of this UTC calendar month in all games. */
export async function countEventsThisMonth(database: Database): Promise<number> {
  const row = await database.queryOne<{ total: number }>(sql`
    SELECT COALESCE(sum(used), 0)::bigint AS total FROM event_usage WHERE month = ${thisMonth}`);
  return row!.total;
}
