import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../database/database.ts';
import { encodeCursor } from './cursor.ts';
import { readPage } from './page.ts';
import type { PageRange } from './page.ts';

/** A database on which no statement runs, because the rows are in memory. */
const unused = {} as Queryable;

const ID = '0b5e3a5c-8f7e-4c3b-9a51-0d4a3c2b1f00';

const rows = ['2026-02-28 23:59:59.123456+00', '2024-02-29 00:00:00+00'].map((created) => ({
  created,
  id: ID,
}));

/** Reads a page of the rows, and also returns the range that was requested. */
async function read(limit: number, cursor?: string) {
  const ranges: PageRange[] = [];
  const list = async (range: PageRange) => {
    ranges.push(range);
    return rows.slice(0, range.count);
  };
  const page = await readPage(unused, { limit, cursor }, (_from, range) => list(range));
  return { ...page, range: ranges[0] };
}

test('a cursor leads to the row after the last row of its page', async () => {
  const first = await read(1);
  assert.deepEqual(first.page, [{ id: ID }]);
  assert.deepEqual(first.range, { after: null, count: 2 });
  const second = await read(1, first.next_cursor!);
  assert.deepEqual(second.range, { after: rows[0], count: 2 });
  const third = await read(2, encodeCursor([rows[1]!.created, ID]));
  assert.deepEqual(third.range, { after: rows[1], count: 3 });
  assert.equal(third.next_cursor, null);
});

test('a cursor with a time that does not exist is refused', async () => {
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
    await assert.rejects(read(1, cursor), { message: 'cursor is not valid' }, created);
  }
});
