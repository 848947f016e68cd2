import { foldText } from '@overworld/contract/fold-text';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../test/harness.ts';
import { openDatabase } from './database/open-database.ts';
import type { Database } from './database/database.ts';
import { sql } from './database/sql.ts';
import { patternOf } from './text-pattern.ts';

const SURROGATES = /\p{Cs}/u;
const ALL = Array.from({ length: 0x10_ff_ff }, (_, index) =>
  String.fromCodePoint(index + 1),
).filter((letter) => !SURROGATES.test(letter));
/** The letters of the first two planes of Unicode: those beyond have no capital letters. */
const LETTERS = ALL.filter((letter) => letter.codePointAt(0)! < 0x2_00_00);

let database: Database;
let drop: () => Promise<void>;
before(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  database = openDatabase({ url: cloned.url }, { application_name: 'test', max_connections: 1 });
});
after(async () => {
  await database.close();
  await drop();
});

test('foldText and fold_text change the same letters of Unicode in the same way', async () => {
  for (let from = 0; from < LETTERS.length; from += 4_000) {
    const some = LETTERS.slice(from, from + 4_000);
    const row = await database.queryOne<{ folded: string }>(
      sql`SELECT string_agg(fold_text(letter), E'\n' ORDER BY place) AS folded
          FROM unnest(${some}::text[]) WITH ORDINALITY AS sent (letter, place)`,
    );
    assert.equal(row!.folded, foldText(some.join('\n')));
  }
});

test('foldText joins the spellings of a name that differ in capital letters', () => {
  assert.equal(foldText('İPEK@Studio.Example'), 'ipek@studio.example');
  assert.equal(foldText('JÜRGEN ЖУРНАЛ'), 'jürgen журнал');
  assert.equal(foldText('ΟΔΟΣ'), foldText('οδος'));
});

test('the pattern of a letter finds all letters that fold to it, and no others', async () => {
  const beyond = ALL.slice(LETTERS.length).join('');
  assert.equal(foldText(beyond), beyond);
  const changed = LETTERS.filter((letter) => foldText(letter) !== letter);
  const ascii = LETTERS.slice(0, 127);
  const known = [...new Set([...ascii, ...changed, ...changed.map(foldText)])];
  const spellings = Map.groupBy(known, foldText);
  const folded = [...spellings.keys()];
  const rows = await database.query<{ letter: string; found: string[] }>(sql`
    SELECT letter, ARRAY(SELECT known FROM unnest(${known}::text[]) WITH ORDINALITY AS all_known (known, place)
                         WHERE known COLLATE "C" ~ pattern ORDER BY place) AS found
    FROM unnest(${folded}::text[], ${folded.map(patternOf)}::text[]) AS sent (letter, pattern)`);
  assert.equal(rows.length, folded.length);
  for (const { letter, found } of rows) assert.deepEqual(found, spellings.get(letter));
});
