import type pg from 'pg';
import { sql } from '../sql.ts';

/** SQL that returns a row if the database belongs to a Citus cluster. */
export const FIND_CITUS = sql`SELECT FROM pg_extension WHERE extname = 'citus'`;

/**
 * Settings of all sessions. The coordinator uses the values in a statement to find the node that must run it,
 * and has crashed on plans that lack these values. By default it waits 30 s for a node that is down. Games on
 * other nodes need the connection during this time.
 */
export const CLUSTER_SETTINGS = [
  '-c plan_cache_mode=force_custom_plan',
  '-c jit=off',
  '-c citus.node_connection_timeout=5s',
];

/** Tells whether the database belongs to a Citus cluster, as its coordinator or as a worker. */
export async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(FIND_CITUS.text);
  return rowCount !== 0;
}

/**
 * Finds the address of the coordinator, such as `citus-1:5432`, if the database is a worker of a Citus
 * cluster; otherwise null. Workers have no tables of the installation, and each has its own notifications,
 * advisory locks and ids.
 */
export async function findCoordinator(client: pg.ClientBase): Promise<string | null> {
  if (!(await hasCitus(client))) return null;
  const { rows } = await client.query<{ address: string | null }>(`
    SELECT (SELECT nodename || ':' || nodeport FROM pg_dist_node
            WHERE groupid = 0 AND noderole = 'primary') AS address
    FROM pg_dist_local_group WHERE groupid <> 0`);
  if (rows[0] === undefined) return null;
  return rows[0].address ?? 'which it does not know';
}

/**
 * Allows this session to create and change tables that have triggers and belong to a group. Citus demands a
 * confirmation that such triggers are safe. They are safe because each trigger writes only to tables of its
 * own group, and all tables of a group are on the same node.
 */
export async function allowTriggers(client: pg.ClientBase): Promise<void> {
  await client.query('SET citus.enable_unsafe_triggers = on');
}

/**
 * Gives each node a copy of `games`. The tables that reference `games`, or that share keys with such tables,
 * become known to all nodes. The other tables of the installation stay only on the coordinator.
 */
export async function shareGames(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = 'games'::regclass`,
  );
  if (rowCount === 0) await client.query(`SELECT create_reference_table('games')`);
}

/**
 * Moves the schema of a group to a node. Tables that are created in the schema later are on that node too.
 */
export async function distributeGroup(client: pg.ClientBase, schema: string): Promise<void> {
  await bindTriggerFunctions(client, schema);
  await client.query('SELECT citus_schema_distribute($1)', [schema]);
}

/**
 * Sets the search path of a group's trigger functions. They need this to find the group's tables on a node,
 * where sessions have the default search path. When a migration replaces a function, the function loses this
 * setting.
 */
export async function bindTriggerFunctions(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE pronamespace = $1::regnamespace AND prorettype = 'trigger'::regtype AND proconfig IS NULL`,
    [schema],
  );
  for (const { name } of rows) {
    await client.query(`ALTER FUNCTION ${name} SET search_path = ${schema}, public`);
  }
}

/**
 * Returns a text that changes whenever one of the groups moves to another node. If a group moves away and
 * back, the text still differs from the earlier one.
 */
export async function listPlacements(
  client: pg.ClientBase,
  schemas: readonly string[],
): Promise<string> {
  const { rows } = await client.query<{ placements: string }>(
    `SELECT string_agg(placementid::text, ',' ORDER BY placementid) AS placements
     FROM pg_dist_placement
     JOIN pg_dist_shard USING (shardid)
     WHERE logicalrelid = ANY ((SELECT array_agg((name || '.event_holds')::regclass) FROM unnest($1::text[]) AS name)::oid[])`,
    [schemas],
  );
  return rows[0]!.placements;
}
