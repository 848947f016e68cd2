import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { openDatabase } from './open-database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

const skip = Boolean(process.env.OVERWORLD_TEST_WORKER_URLS) && 'a cluster has one locale';

let database: Database;
let drop: () => Promise<void>;
before(async () => {
  const made = await makeEmptyDatabase(`LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C'`);
  drop = made.drop;
  database = openDatabase({ url: made.url }, { application_name: 'test', max_connections: 1 });
  await migrate(database, { groups: 2 });
});
after(async () => {
  await database.close();
  await drop();
});

test(
  'no index of a database in a Turkish locale has the order of that locale',
  { skip },
  async () => {
    const names = ['ABC', 'abc', 'ılık', 'Zürich', 'çay'];
    const sorted = await database.query<{ name: string }>(sql`
    SELECT name FROM unnest(${names}::text[]) AS name ORDER BY name`);
    assert.notDeepEqual(
      sorted.map(({ name }) => name),
      names.toSorted(),
    );
    const indexes = await database.query(sql`
    SELECT indrelid::regclass::text AS table_name, indexrelid::regclass::text AS index_name
    FROM pg_index
    WHERE indrelid::regclass::text ~ '^(group_[0-9][.])?[a-z_]+$' AND indrelid >= 16384
      AND 'pg_catalog."default"'::regcollation = ANY (indcollation)`);
    assert.deepEqual(indexes, []);
  },
);

test(
  'a second migration changes no table of a database in a Turkish locale',
  { skip },
  async () => {
    const readPlaces = () =>
      database.query(
        sql`SELECT oid::int, relfilenode::int FROM pg_class WHERE relkind = 'i' ORDER BY 1`,
      );
    const places = await readPlaces();
    await migrate(database);
    assert.deepEqual(await readPlaces(), places);
  },
);

test('contents keep their storage', { skip }, async () => {
  const [body] = await database.query(sql`
    SELECT attstorage FROM pg_attribute
    WHERE attrelid = 'group_1.event_inbox'::regclass AND attname = 'body'`);
  assert.deepEqual(body, { attstorage: 'e' });
});
