import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from './split-statements.ts';

const listStatements = (text: string) => splitStatements(text).map((part) => part.trim());

test('a migration is split at the semicolons between its statements', () => {
  assert.deepEqual(listStatements('CREATE TABLE a ();\nDROP TABLE b;\n'), [
    'CREATE TABLE a ()',
    'DROP TABLE b',
  ]);
});

for (const [part, statement] of [
  ['a string', `UPDATE a SET text = 'one; it''s; two'`],
  ['a name', 'ALTER TABLE a DROP COLUMN "old; name"'],
  ['a comment', '-- The old table; not used any more.\nDROP TABLE a'],
  ['a comment of several lines', 'DROP TABLE /* old;\nnot used; */ a'],
  ['the body of a function', 'CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN a; b; END $$'],
  ['a body with a mark of its own', `DO $body$ BEGIN PERFORM '$$;'; END $body$`],
] as const) {
  test(`a semicolon in ${part} does not end a statement`, () => {
    assert.deepEqual(listStatements(`${statement};\nDROP TABLE z;`), [statement, 'DROP TABLE z']);
  });
}

test('a comment after the last statement does not count as a statement', () => {
  assert.deepEqual(listStatements('DROP TABLE a;\n-- The end; really.\n'), ['DROP TABLE a']);
});
