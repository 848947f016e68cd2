import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { listMigrations, migrate } from '../../src/platform/database/migrate.ts';
import { makeEmptyDatabase } from '../copy-database.ts';
import { cloneDatabase } from '../harness.ts';
import { IS_SPREAD } from '../test-database.ts';
import { dumpSchema } from './schema-dump.ts';

const FILE = new URL('../../schema.sql', import.meta.url);

/**
 * Makes a database with all tables in one schema. In a run with several groups of games, most tables of the
 * template are in the schemas of the groups, which `make-groups.test.ts` compares.
 */
async function makeDatabase() {
  if (Number(process.env.TEST_GROUPS ?? 1) === 1) return cloneDatabase();
  const empty = await makeEmptyDatabase();
  const database = openDatabase(empty, { application_name: 'test', max_connections: 1 });
  await migrate(database);
  await database.close();
  return empty;
}

test(
  'schema.sql equals the schema of the migrations (npm run schema writes it)',
  { skip: IS_SPREAD && 'a cluster always has groups' },
  async () => {
    const { url, drop } = await makeDatabase();
    const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
    const client = await database.connect();
    try {
      const dumped = await dumpSchema(client);
      if (process.env.UPDATE_SCHEMA) await writeFile(FILE, dumped);
      const texts = [await readFile(FILE, 'utf8'), dumped];
      // A PostgreSQL with another order of texts has this on every column (`orderTexts`).
      const [wanted, found] = process.env.TEST_DATABASE_URL
        ? texts.map((text) => text.replaceAll(' COLLATE "C"', ''))
        : texts;
      assert.equal(found, wanted);
    } finally {
      client.release();
      await database.close();
      await drop();
    }
  },
);

test('no two migrations share a number, apart from the released 0015', async () => {
  const names = await listMigrations();
  const numbers = names.map((name) => name.slice(0, 4));
  const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  assert.deepEqual(repeated, ['0015']);
});

test('each table has a replica identity, by which a move of its group to another node finds deleted rows', async () => {
  const schema = await readFile(FILE, 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm)];
  assert.ok(tables.length > 50);
  const keyless = tables
    .filter(([, , columns]) => !/^ {2}CONSTRAINT \w+ PRIMARY KEY /m.test(columns!))
    .map(([, name]) => name!)
    .filter((name) => !schema.includes(`ALTER TABLE ${name} REPLICA IDENTITY FULL;`));
  assert.deepEqual(keyless, []);
});
