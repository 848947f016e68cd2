import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCursor } from './cursor.ts';
import { cutPage, readPosition } from './page.ts';

const ID = '0b5e3a5c-8f7e-4c3b-9a51-0d4a3c2b1f00';

test('a cursor leads on after the last row of its page', () => {
  const rows = ['2026-02-28 23:59:59.123456+00', '2024-02-29 00:00:00+00'].map((created) => ({
    created,
    id: ID,
  }));
  const { page, next_cursor } = cutPage(rows, 1);
  assert.deepEqual(page, [{ id: ID }]);
  assert.deepEqual(readPosition(next_cursor!), rows[0]);
  assert.deepEqual(readPosition(encodeCursor([rows[1]!.created, ID])), rows[1]);
  assert.equal(cutPage(rows, 2).next_cursor, null);
  assert.equal(readPosition(undefined), null);
});

test('a cursor with a time that does not exist is refused by its name', () => {
  for (const created of [
    '2026-02-29 00:00:00+00',
    '2026-13-01 00:00:00+00',
    '2026-00-10 00:00:00+00',
    '2026-01-32 00:00:00+00',
    '2026-01-01 24:00:01+00',
    '2026-01-01 00:60:00+00',
    '2026-01-01 23:59:60+00',
    '0000-01-01 00:00:00+00',
    '2026-01-01 00:00:00+02',
    '2026-01-01T00:00:00+00',
    '',
  ]) {
    const cursor = encodeCursor([created, ID]);
    assert.throws(() => readPosition(cursor), { message: 'cursor is not valid' }, created);
  }
});
