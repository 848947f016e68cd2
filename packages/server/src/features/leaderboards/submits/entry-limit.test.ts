import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError } from '../../../platform/errors.ts';
import { listEntries, openBoardDatabase, scoreOf, submit } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
});
after(() => boards.close());

test('a submit at the limit of entries improves the entry that an earlier submit of its batch has made', async () => {
  const board = await boards.makeBoard();
  const server = boards.makeServer();
  await submit(server, board, 'first', 1);
  const limit_reached = new ApiError(403, 'full');
  // The first submit is flushed by itself, and the others make the next batch.
  const [, made, improved, refused] = await Promise.allSettled([
    submit(server, board, 'first', 2),
    submit(server, board, 'a', 5),
    server.scores.submit({ ...scoreOf(board, 'a', 6), limit_reached }),
    server.scores.submit({ ...scoreOf(board, 'b', 7), limit_reached }),
  ]);
  assert.equal(made.status, 'fulfilled');
  assert.ok(improved.status === 'fulfilled' && improved.value.updated);
  assert.equal(refused.status, 'rejected');
  assert.deepEqual(await listEntries(server, board), ['a 6', 'first 2']);
  await server.close();
});
