import { openDatabase } from '../src/platform/database/open-database.ts';
import type { Database, Queryable } from '../src/platform/database/database.ts';
import { inOneGroup } from '../src/platform/database/game-groups.ts';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { schemaOf } from '../src/platform/database/group-directory.ts';
import type { GroupDirectory } from '../src/platform/database/group-directory.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** The number of groups of games in the databases of the run. */
const GROUPS = Number(process.env.TEST_GROUPS ?? 1);

/** True if the databases of the run are on the nodes of a Citus cluster. */
export const IS_SPREAD = Boolean(process.env.OVERWORLD_TEST_WORKER_URLS);

const directoryOf = (count: number): GroupDirectory => ({
  count,
  known: new Map(),
  is_spread: IS_SPREAD,
});

/** Makes groups in a database without games. Returns their number. */
export async function makeGroups(url: string, wanted = 1): Promise<number> {
  if (wanted <= GROUPS) return GROUPS;
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  await database.execute(sql`
    UPDATE installation SET value = ${String(wanted)} WHERE name = 'tenant_groups'`);
  await migrate(database);
  await database.close();
  return wanted;
}

/**
 * Opens a database of the run for the statements of a test. With several groups of games, a statement that
 * has the id of a game among its values goes to the group of this game. If no value is such an id, and
 * exactly one group has games, the statement goes to that group.
 */
export function openTestDatabase(
  settings: Parameters<typeof openDatabase>[0],
  options: Parameters<typeof openDatabase>[1],
  count = GROUPS,
): GroupedDatabase {
  const database = openDatabase(settings, { ...options, groups: directoryOf(count) });
  if (database.groups.length === 1) return database;
  // This is a copy, because the methods below replace those of the database.
  const installation: Database = { ...database };

  const findGroup = async ({ values }: Sql): Promise<number | null> => {
    const named = JSON.stringify(values).match(UUID) ?? [];
    const rows = await installation.query<{ tenant_group: number; is_named: boolean }>(sql`
      SELECT DISTINCT tenant_group, id = ANY(${named}::uuid[]) AS is_named
      FROM (SELECT id, tenant_group FROM games
            UNION ALL
            SELECT game_id, tenant_group FROM game_deletions) AS games`);
    const wanted = rows.filter(({ is_named }) => is_named);
    const groups = new Set((wanted.length > 0 ? wanted : rows).map((row) => row.tenant_group));
    const [only] = groups;
    return groups.size === 1 ? only! : null;
  };
  const findDatabase = async (statement: Sql): Promise<Queryable> => {
    const group = await findGroup(statement);
    return group === null ? installation : database.groups[group]!;
  };
  const enterGroup = async (tx: Queryable, statement: Sql) => {
    const group = await findGroup(statement);
    const path = group === null ? 'public' : `${schemaOf(group)}, public`;
    await tx.execute(sql`SELECT set_config('search_path', ${path}, true)`);
    return tx;
  };
  return Object.assign(database, route(findDatabase), {
    transaction: <T>(work: (tx: Queryable) => Promise<T>) =>
      installation.transaction((tx) => work(route((statement) => enterGroup(tx, statement)))),
  });
}

/** Opens one group of a database as if it were the only one, for games that have no row in `games`. */
export function openTestGroup(
  settings: Parameters<typeof openDatabase>[0],
  options: Parameters<typeof openDatabase>[1],
): GroupedDatabase {
  const { groups } = openDatabase(settings, { ...options, groups: directoryOf(GROUPS) });
  return inOneGroup({ ...groups[0]! });
}

/** Sends each statement to the database that `find` returns for it. */
const route = (find: (statement: Sql) => Promise<Queryable>): Queryable => ({
  formFor: ({ plain, cluster }) => (IS_SPREAD ? cluster : plain),
  query: async <Row extends object>(statement: Sql) =>
    (await find(statement)).query<Row>(statement),
  queryOne: async <Row extends object>(statement: Sql) =>
    (await find(statement)).queryOne<Row>(statement),
  execute: async (statement) => (await find(statement)).execute(statement),
});

let made_games = 0;

/**
 * Chooses the group of the next game of a test. Games that are made one after the other are in different
 * groups.
 */
export const nextGroup = (count: number): number => made_games++ % count;
