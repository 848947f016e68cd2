import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/**
 * Makes the events of one request. They belong to three sessions and five players. The property `index` of
 * each event is its index in the request.
 */
export const makeBatch = (event_name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    event_name,
    session_id: `s${index % 3}`,
    player_id: `p${index % 5}`,
    properties: { index },
  }));

/** Counts rows of a game: requests in its inbox, events, and distinct events. */
export async function countRows(
  database: Queryable,
  game_id: string,
): Promise<{ inbox: number; events: number; distinct: number }> {
  const row = await database.queryOne<{ inbox: number; events: number; distinct: number }>(sql`
    SELECT (SELECT count(*) FROM event_inbox WHERE game_id = ${game_id}) AS inbox,
           count(*) AS events,
           count(DISTINCT (event_name, properties)) AS distinct
    FROM events WHERE game_id = ${game_id}`);
  return row!;
}
