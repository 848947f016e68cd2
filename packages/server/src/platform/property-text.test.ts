import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { anySpellings } from '../../test/data/spelled-numbers.ts';
import { startTestServer } from '../../test/harness.ts';
import type { TestServer } from '../../test/harness.ts';
import { sql } from './database/sql.ts';
import { numberText } from './json/number-text.ts';
import { propertyText } from './property-text.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const textsOf = async (values: readonly string[]) => {
  const rows = await server.database.query<{ text: string | null }>(sql`
    SELECT ${propertyText('v')} AS text
    FROM unnest(${values.map((value) => `{"v":${value}}`)}::jsonb[])
      WITH ORDINALITY AS sent (properties, place)
    ORDER BY place`);
  return rows.map(({ text }) => text);
};

test('a number has one text, however it was spelled, and its digits stay exact', async () => {
  const spellings = ['3', '3.0', '3e0', '30E-1', '-0', '-0.00', '0.10', '1e2', '120', '-0.050'];
  const long = ['9007199254740993.0', '9007199254740992', '0.10000000000000000001'];
  assert.deepEqual(
    await textsOf([...spellings, ...long]),
    ['3', '3', '3', '3', '0', '0', '0.1', '100', '120', '-0.05'].concat(
      '9007199254740993',
      '9007199254740992',
      '0.10000000000000000001',
    ),
  );
});

test('a text stays as it is, and the numbers in a list or object have one spelling', async () => {
  const values = [
    '"3.0"',
    'true',
    'null',
    '[3.0,"3.0 \\" 1.50",{"1.0":-2.50}]',
    '{"a":[1.00,0.01]}',
  ];
  assert.deepEqual(await textsOf(values), [
    '3.0',
    'true',
    null,
    '[3, "3.0 \\" 1.50", {"1.0": -2.5}]',
    '{"a": [1, 0.01]}',
  ]);
});

test('PostgreSQL and JavaScript write each number in the same way, alone and in a list', async () => {
  const run = fc.asyncProperty(fc.array(anySpellings(6), { maxLength: 200 }), async (numbers) => {
    const all = numbers.flat();
    const texts = all.map(numberText);
    for (const spellings of numbers) assert.equal(new Set(spellings.map(numberText)).size, 1);
    assert.deepEqual(await textsOf(all), texts);
    const lists = all.map((spelling) => `["1.0", ${spelling}]`);
    assert.deepEqual(
      await textsOf(lists),
      texts.map((text) => `["1.0", ${text}]`),
    );
  });
  await fc.assert(run, { numRuns: 20 });
});
