import type pg from 'pg';
import { distributeGroup, hasCitus, shareGames } from './cluster/citus.ts';
import { schemaOf } from './group-directory.ts';
import { inTransaction } from './in-transaction.ts';
import { MigrationError } from './migration-error.ts';
import { listGroupParts } from './schema-parts.ts';

/**
 * Gives each group of games a schema with the tables of game data, and then drops the same tables from
 * `public`. Each group is made in its own transaction. After a failure, the next call continues with the
 * groups that are still missing. On the coordinator of a Citus cluster, the groups are spread over the
 * nodes.
 */
export async function makeGroups(client: pg.ClientBase, count: number): Promise<void> {
  const parts = await listGroupParts(client);
  const tables = [...new Set(parts.flatMap(({ table_name }) => table_name ?? []))];
  if (tables.length === 0) return;
  const is_spread = await hasCitus(client);
  if (is_spread) await shareGames(client);
  for (let group = 0; group < count; group++) {
    const schema = schemaOf(group);
    if (await isMade(client, schema, tables)) continue;
    await inTransaction(client, async () => {
      await client.query(`CREATE SCHEMA ${schema}; SET LOCAL search_path = ${schema}, public`);
      // Citus accepts only one statement at a time.
      for (const { statement } of parts) await client.query(statement);
      if (is_spread) await distributeGroup(client, schema);
    });
  }
  const { rows } = await client.query<{ name: string }>(`
    SELECT oid::regprocedure::text AS name FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype`);
  await inTransaction(client, async () => {
    await client.query(`DROP TABLE ${tables.join(', ')}`);
    for (const { name } of rows) await client.query(`DROP FUNCTION ${name}`);
  });
}

/**
 * Tells whether the schema of a group exists.
 * @throws MigrationError when there is a schema with the group's name, but without the tables of a group.
 */
async function isMade(
  client: pg.ClientBase,
  schema: string,
  tables: readonly string[],
): Promise<boolean> {
  const { rows } = await client.query<{ tables: string[] }>(
    `SELECT ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = pg_namespace.oid) AS tables
     FROM pg_namespace WHERE nspname = $1`,
    [schema],
  );
  if (rows[0] === undefined) return false;
  const { tables: found } = rows[0];
  if (tables.every((table) => found.includes(table))) return true;
  throw new MigrationError(
    `The database has a schema ${schema} that is not Overworld's: rename it, or use another database.`,
  );
}
