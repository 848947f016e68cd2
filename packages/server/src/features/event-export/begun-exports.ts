import type { Database, Queryable } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';

/** The most games that are begun while ingest of their group waits. */
const GAMES_AT_ONCE = 1_000;

/**
 * Begins the export of games that have none yet; forks are for tests, and their times change. No transaction ingests meanwhile, so every event is either
 * stored before and thus history, or noted by the transaction that stores it.
 */
export async function beginExports(
  database: GroupedDatabase,
  lockIngest: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const games = await database.query<{ id: string }>(sql`
    SELECT id FROM games WHERE forked_from IS NULL ORDER BY id`);
  const ids = games.map(({ id }) => id);
  await database.learnGames(ids);
  await forEachGroup([...database.groups.entries()], async ([number, group]) => {
    const of_group = ids.filter((id) => database.groupOf(id) === number);
    const missing = await listMissing(group, of_group);
    for (let from = 0; from < missing.length; from += GAMES_AT_ONCE) {
      const begun = missing.slice(from, from + GAMES_AT_ONCE);
      await group.transaction(async (tx) => {
        await lockIngest(tx);
        await tx.execute(sql`
          INSERT INTO event_exports (game_id, environment)
          SELECT game_id, environment
          FROM unnest(${begun}::uuid[]) AS game_id
          CROSS JOIN unnest(enum_range(NULL::environment)) AS environment
          ON CONFLICT (game_id, environment) DO NOTHING`);
      });
    }
  });
}

async function listMissing(group: Database, game_ids: readonly string[]): Promise<string[]> {
  const rows = await group.query<{ game_id: string }>(
    sql`SELECT DISTINCT game_id FROM event_exports`,
  );
  const begun = new Set(rows.map(({ game_id }) => game_id));
  return game_ids.filter((id) => !begun.has(id));
}
