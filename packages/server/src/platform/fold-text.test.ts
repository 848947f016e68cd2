import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneDatabase } from '../../test/harness.ts';
import { openDatabase } from './database/database.ts';
import { sql } from './database/sql.ts';
import { foldText } from './fold-text.ts';

const SURROGATES = /\p{Cs}/u;

test('foldText and fold_text change the same letters of Unicode in the same way', async () => {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const letters = Array.from({ length: 0x11_00_00 - 1 }, (_, index) =>
    String.fromCodePoint(index + 1),
  ).filter((letter) => !SURROGATES.test(letter));
  for (let from = 0; from < letters.length; from += 4_000) {
    const some = letters.slice(from, from + 4_000);
    // Each letter stands in a line of its own, so that a pattern finds it alone.
    const text = some.join('\n');
    const row = await database.queryOne<{ folded: string }>(
      sql`SELECT string_agg(fold_text(letter), E'\n' ORDER BY place) AS folded
          FROM unnest(${some}::text[]) WITH ORDINALITY AS sent (letter, place)`,
    );
    assert.equal(row!.folded, foldText(text));
  }
  await database.close();
  await drop();
});

test('foldText joins the spellings of a name that differ in capital letters', () => {
  assert.equal(foldText('İPEK@Studio.Example'), 'ipek@studio.example');
  assert.equal(foldText('JÜRGEN ЖУРНАЛ'), 'jürgen журнал');
  assert.equal(foldText('ΟΔΟΣ'), foldText('οδος'));
});
