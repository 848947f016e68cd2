import type pg from 'pg';
import { sql } from './sql.ts';
import { INSTALLATION_TABLES } from './installation-tables.ts';

/** The table of the installation that tables of groups reference. Each node has a copy of it. */
const REFERENCED_TABLE = 'games';

/** Finds a row on the coordinator of a Citus cluster. */
export const FIND_CITUS = sql`SELECT FROM pg_extension WHERE extname = 'citus'`;

/** Tells whether the database is the coordinator of a Citus cluster. */
export async function hasCitus(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(FIND_CITUS.text);
  return rowCount !== 0;
}

/**
 * Lets a session make and change tables of groups with triggers. Citus asks whether triggers are safe
 * there: those of game data write to tables of their own group alone, which is on the same node.
 */
export async function allowTriggers(client: pg.ClientBase): Promise<void> {
  await client.query('SET citus.enable_unsafe_triggers = on');
}

/** Makes the tables of the installation, which stay on the coordinator, known to all nodes. */
export async function shareInstallation(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(name))`,
    [INSTALLATION_TABLES],
  );
  const missing = new Set(rows.map(({ name }) => name));
  if (missing.delete(REFERENCED_TABLE)) {
    // Shares the tables that reference it too.
    await client.query('SELECT create_reference_table($1)', [REFERENCED_TABLE]);
  }
  await client.query(
    `SELECT citus_add_local_table_to_metadata(oid, cascade_via_foreign_keys => true)
     FROM unnest($1::text[]) AS name JOIN pg_class ON oid = to_regclass(name)
     WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = oid)`,
    [[...missing]],
  );
}

/** Moves the schema of a group to a node, and gives its future tables to that node too. */
export async function distributeGroup(client: pg.ClientBase, schema: string): Promise<void> {
  await bindTriggerFunctions(client, schema);
  await client.query('SELECT citus_schema_distribute($1)', [schema]);
}

/**
 * Has the trigger functions of a group find its tables on a node, where sessions have the default search
 * path. A function that a migration replaces loses this.
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
