import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { copyRows } from '../../../test/copy-rows.ts';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import type { GroupedDatabase } from './game-groups.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

let drop: () => Promise<void>;
let database: GroupedDatabase;

before(async () => {
  let url: string;
  ({ url, drop } = await cloneDatabase());
  database = openTestDatabase({ url }, { application_name: 'test', max_connections: 1 });
});
after(async () => {
  await database.close();
  await drop();
});

const copy = (statement: Sql) => copyRows(database, statement);

test('copyOut returns bytes as they are', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
  const encoded = bytes.toString('base64');
  const rows = await copy(sql`
    SELECT number::text AS text, CASE WHEN number <> 2 THEN decode(${encoded}, 'base64') END
    FROM generate_series(1, 30) AS number ORDER BY number`);
  assert.deepEqual(
    rows.map(([number]) => number!.toString()),
    Array.from({ length: 30 }, (_, index) => String(index + 1)),
  );
  rows.forEach(([, read], index) => {
    assert.deepEqual(read, index === 1 ? null : bytes);
  });
  assert.deepEqual(await copy(sql`SELECT 1 WHERE false`), []);
});

test('copyOut takes any text as a parameter', async () => {
  const texts = [
    "it's",
    '\\',
    "\\'; SELECT 1; --",
    '$1',
    '$2 $$',
    'a\nb',
    'é 🙂',
    '',
    '{"a",NULL}',
  ];
  for (const text of texts) {
    const [row] = await copy(sql`SELECT ${text}::text`);
    assert.equal(row![0]!.toString(), text);
  }
  const rows = await copy(sql`SELECT unnest(${texts}::text[])`);
  assert.deepEqual(
    rows.map(([text]) => text!.toString()),
    texts,
  );
  const [row] = await copy(sql`SELECT ${null}::text[] IS NULL, cardinality(${[]}::text[]) = 0`);
  assert.deepEqual(row, [Buffer.of(1), Buffer.of(1)]);
});

test('a connection goes on after an error', async () => {
  await assert.rejects(copy(sql`SELECT 1 / (3 - number) FROM generate_series(1, 5) AS number`), {
    message: 'division by zero',
  });
  await assert.rejects(copy(sql`SELECT ${3}::integer`), TypeError);
  assert.equal((await copy(sql`SELECT 'a'`))[0]![0]!.toString(), 'a');
});
