import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { cloneDatabase } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openDatabase } from './open-database.ts';
import type { Database } from './database.ts';
import { schemaOf } from './group-directory.ts';
import { INSTALLATION_TABLES } from './installation-tables.ts';
import { applyMigration, migrate } from './migrate.ts';
import { listSchemaParts } from './schema-parts.ts';
import { sql } from './sql.ts';

const GROUPS = 3;

let url: string;
let drop: () => Promise<void>;
let database: Database;

before(async () => {
  ({ url, drop } = await makeEmptyDatabase());
  database = openDatabase({ url }, { application_name: 'test', max_connections: 4 });
});
after(async () => {
  await database.close();
  await drop();
});

/**
 * Runs `work` until it waits for a lock that the statement `block` has taken. Then ends the connection of
 * `work`, as if the server had been killed at that point.
 */
async function killWhileBlocked(block: string, work: () => Promise<unknown>): Promise<void> {
  const blocker = await database.connect();
  await blocker.query('BEGIN');
  await blocker.query(block);
  const working = assert.rejects(work());
  await waitUntil('the work is blocked', async () => {
    const ended = await database.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return ended > 0;
  });
  await working;
  await blocker.query('ROLLBACK');
  blocker.release();
}

/** Lists the groups whose schema has the table. */
async function listGroupsWith(table: string): Promise<number[]> {
  const has = await Promise.all(
    Array.from({ length: GROUPS }, async (_, group) => {
      const name = `${schemaOf(group)}.${table}`;
      const row = await database.queryOne(
        sql`SELECT FROM pg_class WHERE oid = to_regclass(${name})`,
      );
      return row === null ? [] : [group];
    }),
  );
  return has.flat();
}

/** Lists the parts of a schema, which `public` follows on the search path. */
async function listParts(schema: string) {
  const client = await database.connect();
  try {
    await client.query(`SET search_path = ${schema === 'public' ? '' : `${schema}, `}public`);
    return await listSchemaParts(client);
  } finally {
    client.release(true);
  }
}

test('making groups goes on after a kill, and fails at a schema of another program', async () => {
  await killWhileBlocked(`CREATE SCHEMA ${schemaOf(1)}`, () =>
    migrate(database, { last: '0055_tenant_groups.sql', groups: GROUPS }),
  );
  assert.deepEqual(await listGroupsWith('players'), [0]);
  await database.execute(sql`CREATE SCHEMA group_2`);
  await assert.rejects(migrate(database), {
    message:
      "The database has a schema group_2 that is not Overworld's: rename it, or use another database.",
  });
  await database.execute(sql`ALTER SCHEMA group_2 RENAME TO studio`);
  await migrate(database);
  assert.deepEqual(await listGroupsWith('players'), [0, 1, 2]);
});

test('each group has all tables of game data as migrations make them, and `public` has none', async () => {
  // In some locales all texts get this order, and the schema file has it only where every locale needs it.
  const withoutOrder = (statement: string) => statement.replaceAll(' COLLATE "C"', '');
  const schema = withoutOrder(
    await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8'),
  );
  const wanted = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => !INSTALLATION_TABLES.includes(name));
  for (let group = 0; group < GROUPS; group++) {
    const parts = await listParts(schemaOf(group));
    for (const { statement } of parts) {
      // On a cluster, each trigger function has a line that sets its search path. The schema file lacks it.
      const own_path = ` SET search_path TO '${schemaOf(group)}', 'public'\n`;
      assert.ok(schema.includes(withoutOrder(statement.replace(own_path, ''))), statement);
    }
    const tables = new Set(parts.flatMap(({ table_name }) => table_name ?? []));
    assert.deepEqual([...tables], wanted);
  }
  const left = await listParts('public');
  const tables = new Set(left.flatMap(({ table_name }) => table_name ?? []));
  assert.deepEqual([...tables].toSorted(), [...INSTALLATION_TABLES].toSorted());
});

test('after an interruption, a migration is applied to the groups that do not have it yet', async () => {
  const migration = {
    name: '9999_marks.group.sql',
    text: 'CREATE TABLE marks (game_id uuid PRIMARY KEY)',
  };
  const apply = async () => {
    const client = await database.connect();
    try {
      await applyMigration(client, migration, GROUPS);
    } finally {
      client.release(true);
    }
  };
  await killWhileBlocked(`CREATE TABLE ${schemaOf(1)}.marks ()`, apply);
  assert.deepEqual(await listGroupsWith('marks'), [0]);
  await apply();
  assert.deepEqual(await listGroupsWith('marks'), [0, 1, 2]);
  assert.equal(
    await database.execute(sql`DELETE FROM migrations WHERE name = ${migration.name}`),
    1,
  );
  assert.deepEqual(await database.query(sql`SELECT FROM group_migrations`), []);
});

test('the number of groups never changes', async () => {
  await assert.rejects(migrate(database, { groups: 4 }), {
    message:
      'TENANT_GROUPS is 4, but this installation was made with 3, which never changes: set TENANT_GROUPS to 3, or leave it out.',
  });
  assert.deepEqual(await migrate(database, { groups: 3 }), []);
});

test('an installation from a release without groups has one group', async () => {
  const older = await cloneDatabase();
  const used = openDatabase({ url: older.url }, { application_name: 'test', max_connections: 1 });
  await used.execute(sql`DELETE FROM installation WHERE name = 'tenant_groups'`);
  await used.execute(sql`INSERT INTO games (name, time_zone) VALUES ('Game', 'UTC')`);
  await assert.rejects(migrate(used, { groups: 8 }), /this installation was made with 1/);
  assert.deepEqual(await migrate(used), []);
  await assert.rejects(migrate(used, { groups: 8 }), /this installation was made with 1/);
  await used.close();
  await older.drop();
});
