import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { forRowsOfEachGroup } from '../../platform/database/group-rows.ts';
import { sql } from '../../platform/database/sql.ts';

/** SQL for the first day of this UTC calendar month. */
export const thisMonth = sql`date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** Counts the events of this UTC calendar month by game. Games without events are left out. */
export async function listEventsThisMonth(
  database: GroupedDatabase,
  game_ids: readonly string[],
): Promise<Map<string, number>> {
  const events = new Map<string, number>();
  const games = game_ids.map((game_id) => ({ game_id }));
  await database.learnGames(game_ids);
  await forRowsOfEachGroup(database, games, async (group, its_games) => {
    const rows = await group.query<{ game_id: string; used: number }>(sql`
      SELECT game_id, used
      FROM event_usage
      WHERE game_id = ANY(${its_games.map(({ game_id }) => game_id)}::uuid[])
        AND month = ${thisMonth}`);
    for (const { game_id, used } of rows) events.set(game_id, used);
  });
  return events;
}

/** Counts the events of this UTC calendar month in all games. */
export async function countEventsThisMonth(database: GroupedDatabase): Promise<number> {
  let events = 0;
  await forEachGroup(database.groups, async (group) => {
    const row = await group.queryOne<{ total: number }>(sql`
      SELECT COALESCE(sum(used), 0)::bigint AS total FROM event_usage WHERE month = ${thisMonth}`);
    events += row!.total;
  });
  return events;
}
