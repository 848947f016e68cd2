import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../platform/database/sql.ts';
import { listEntries, openBoardDatabase, submit } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
  const [group] = boards.database.groups;
  await group!.execute(sql`
    ALTER TABLE leaderboard_entries ADD CONSTRAINT no_poison CHECK (player_id <> 'poison')`);
});
after(() => boards.close());

test('a better score is stored and answered with success even if another new entry of its batch fails', async () => {
  const board = await boards.makeBoard();
  const server = boards.makeServer();
  await submit(server, board, 'a', 1);
  // The first submit is flushed by itself, and the others make the next batch.
  const [, ...answers] = await Promise.allSettled([
    submit(server, board, 'b', 1),
    submit(server, board, 'a', 2),
    submit(server, board, 'c', 3),
    submit(server, board, 'poison', 4),
  ]);
  const [improved, joined, poison] = answers;
  assert.equal(poison!.status, 'rejected');
  assert.ok(improved!.status === 'fulfilled' && improved!.value.updated);
  assert.ok(joined!.status === 'fulfilled' && joined!.value.is_new);
  assert.deepEqual(await listEntries(server, board), ['c 3', 'a 2', 'b 1']);
  await server.close();
});
