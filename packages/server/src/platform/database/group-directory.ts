import { FIND_CITUS } from './cluster/citus.ts';
import type { Queryable } from './database.ts';
import type { GroupedDatabase } from './game-groups.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/**
 * The groups of an installation (each game is in one of them), and the group of each game that this process
 * has looked up.
 */
export interface GroupDirectory {
  /**
   * The number of groups of the installation. If there is only one group, it uses the schema `public`. If
   * there are several, each has a schema of its own.
   */
  readonly count: number;
  /** The number of each game's group. A game never changes its group. Empty if there is one group. */
  readonly known: Map<string, number>;
  /** True if the groups are spread over the nodes of a Citus cluster. */
  readonly is_spread?: boolean;
}

/** The name of the row in the table `installation` that has the number of groups. */
export const GROUP_COUNT_NAME = 'tenant_groups';

/** Returns the schema of a group, on installations with several groups. */
export const schemaOf = (group: number): string => `group_${group}`;

/** Reads the groups of all games. */
export async function readDirectory(database: Queryable): Promise<GroupDirectory> {
  const count = (await findGroupCount(database)) ?? 1;
  const known = count === 1 ? [] : await listGroups(database, sql`true`);
  const is_spread = count > 1 && (await database.queryOne(FIND_CITUS)) !== null;
  return { count, known: new Map(known), is_spread };
}

/** Finds the number of groups. Returns null before the number is decided, and before the first migration. */
export async function findGroupCount(database: Queryable): Promise<number | null> {
  const there = await database.queryOne(
    sql`SELECT FROM pg_class WHERE oid = to_regclass('installation')`,
  );
  if (there === null) return null;
  const row = await database.queryOne<{ count: number }>(
    sql`SELECT value::integer AS count FROM installation WHERE name = ${GROUP_COUNT_NAME}`,
  );
  return row && row.count;
}

/** Looks up the groups of games that this process has not looked up yet. */
export async function learnGames(
  database: Queryable,
  { known }: GroupDirectory,
  game_ids: readonly string[],
): Promise<void> {
  const unknown = game_ids.filter((game_id) => !known.has(game_id));
  if (unknown.length === 0) return;
  const found = await listGroups(database, sql`game_id = ANY(${unknown}::uuid[])`);
  for (const [game_id, group] of found) known.set(game_id, group);
}

/** @param is_wanted An SQL condition on `game_id` that selects the games. */
async function listGroups(database: Queryable, is_wanted: Sql): Promise<[string, number][]> {
  const rows = await database.query<{ game_id: string; tenant_group: number }>(sql`
    SELECT game_id, tenant_group
    FROM (SELECT id AS game_id, tenant_group FROM games
          UNION ALL
          SELECT game_id, tenant_group FROM game_deletions) AS games
    WHERE ${is_wanted}`);
  return rows.map(({ game_id, tenant_group }) => [game_id, tenant_group]);
}

/**
 * Chooses the group for a new game: the group with the fewest games. If several transactions call this at the
 * same time, each waits until the one before it has ended.
 */
export async function chooseGroup(database: GroupedDatabase, tx: Queryable): Promise<number> {
  if (database.groups.length === 1) return 0;
  await tx.execute(sql`SELECT FROM installation WHERE name = ${GROUP_COUNT_NAME} FOR UPDATE`);
  const row = await tx.queryOne<{ number: number }>(sql`
    SELECT number
    FROM generate_series(0, ${database.groups.length}::integer - 1) AS number
    LEFT JOIN games ON tenant_group = number
    GROUP BY number
    ORDER BY count(games.id), number
    LIMIT 1`);
  return row!.number;
}
