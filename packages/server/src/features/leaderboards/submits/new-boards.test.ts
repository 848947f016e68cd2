import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeGate } from '../../../../test/gate.ts';
import type { Gate } from '../../../../test/gate.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { listEntries, openBoardDatabase, submit } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

let boards: BoardDatabase;
let gate: Gate;
before(async () => {
  boards = await openBoardDatabase();
  gate = await makeGate(boards.database, sql`leaderboards`);
});
after(() => boards.close());

test('while a game opens more boards than there are connections, submits and pages of open boards go on', async () => {
  const server = boards.makeServer();
  const opening = await boards.makeBoard();
  const open = await boards.makeBoard();
  const notInMemory = await boards.makeBoard();
  await submit(server, opening, 'a', 1);
  await submit(server, open, 'a', 1);
  const other = boards.makeServer();
  await submit(other, notInMemory, 'a', 1);
  await other.close();
  const opened = await gate.close(async () => {
    const submits = Array.from({ length: 20 }, (_, n) =>
      submit(server, { ...opening, board_name: `new ${n}` }, 'a', n),
    );
    await gate.waitForChange();
    let entries: string[] = [];
    const others = [opening, open, notInMemory].map((board) => submit(server, board, 'b', 2));
    void Promise.all(others).then(async () => (entries = await listEntries(server, open)));
    await waitUntil('other boards go on', async () => entries.length > 0);
    assert.deepEqual(entries, ['b 2', 'a 1']);
    return submits;
  });
  assert.deepEqual(
    new Set((await Promise.all(opened)).map(({ is_new }) => is_new)),
    new Set([true]),
  );
  await server.close();
});

test('while a game opens a board, the pages of its boards without scores are read', async () => {
  const server = boards.makeServer();
  const board = await boards.makeBoard();
  const opened = await gate.close(async () => {
    const submitted = submit(server, { ...board, board_name: 'new' }, 'a', 1);
    await gate.waitForChange();
    let pages: string[][] = [];
    const reads = ['unknown', 'unknown', 'other'].map((board_name) =>
      listEntries(server, { ...board, board_name }),
    );
    void Promise.all(reads).then((read) => (pages = read));
    await waitUntil('the pages are read', async () => pages.length > 0);
    assert.deepEqual(pages, [[], [], []]);
    return [submitted];
  });
  await Promise.all(opened);
  await server.close();
});
