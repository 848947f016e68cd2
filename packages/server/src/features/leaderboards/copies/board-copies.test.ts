import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../platform/database/sql.ts';
import { BoardCopies } from './board-copies.ts';
import type { BoardCopy } from './board-copies.ts';
import type { BoardKey, LoggedChange, SeasonState } from '../store.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { listEntries, MEGABYTE, openBoardDatabase, submit } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';
import { makeCopy, makeState, UNBOUNDED } from '../test/followed-copy.ts';

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
});
after(() => boards.close());

describe('an in-memory copy of a leaderboard that follows the database', () => {
  const board: BoardKey = { game_id: randomUUID(), environment: 'production', board_name: 'b' };
  let copies: BoardCopies;
  before(() => {
    copies = new BoardCopies(boards.database, MEGABYTE);
  });
  const follow = (copy: BoardCopy, known_version: number, state: SeasonState) =>
    copies.follow(copy, known_version, UNBOUNDED, state);
  const changes: LoggedChange[] = [
    { version: 150, previous_version: 100, entries: [[0, 30, 3]] },
    { version: 170, previous_version: 150, entries: [[1], [2, 25, 4]] },
  ];

  test('applies the logged changes', async () => {
    const copy = makeCopy(board, 100);
    assert.equal(await follow(copy, 100, makeState(170, changes)), 'same');
    assert.deepEqual([copy.version, copy.order.list(0, 9)], [170, [0, 2]]);
  });

  test('skips the changes that it already has', async () => {
    const copy = makeCopy(board, 150);
    assert.equal(await follow(copy, 100, makeState(170, changes)), 'same');
    assert.deepEqual([copy.version, copy.order.list(0, 9)], [170, [2, 0]]);
  });

  test('is lost when changes are missing, at the start, in between or at the end', async () => {
    const between = { version: 165, previous_version: 160, entries: [] };
    for (const logged of [
      null,
      [],
      changes.slice(1),
      changes.slice(0, 1),
      [changes[0]!, between, changes[1]!],
    ]) {
      const copy = makeCopy(board, 100);
      assert.equal(await follow(copy, 100, makeState(170, logged)), 'lost');
    }
  });

  test('is lost when the database is in another season', async () => {
    const copy = makeCopy(board, 170);
    const state = { ...makeState(170, null), number: 4 };
    assert.equal(await follow(copy, 170, state), 'lost');
  });

  test('is lost when the database returns an older version than the copy had when it was requested', async () => {
    assert.equal(await follow(makeCopy(board, 170), 170, makeState(150, null)), 'lost');
  });

  test('stays when it is newer than the version that the database returned', async () => {
    const copy = makeCopy(board, 170);
    assert.equal(await follow(copy, 150, makeState(150, null)), 'newer');
    assert.deepEqual([copy.version, copy.order.list(0, 9)], [170, [1, 0]]);
  });

  test('waits for submits that are being stored, because the database may already have them', async () => {
    const copy = makeCopy(board, 100);
    const { promise, resolve } = Promise.withResolvers<void>();
    copy.writing = promise;
    const following = follow(copy, 100, makeState(150, changes.slice(0, 1)));
    copy.order.set(0, 30, 3);
    copy.version = 150;
    copy.order.remove(1);
    copy.version = 160;
    resolve();
    assert.equal(await following, 'newer');
    assert.deepEqual([copy.version, copy.order.list(0, 9)], [160, [0]]);
  });
});

test('the least recently used copies are dropped, and loaded again when they are needed', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => boards.makeBoard()));
  const server = boards.makeServer();
  for (const board of keys) {
    for (let n = 0; n < 5; n++) await submit(server, board, `p${n}`, n);
  }
  // Each copy takes 1,544 bytes: three copies fit.
  const copies = new BoardCopies(boards.database, 5_000);
  const isHere = () => keys.map((board) => copies.peek(board, null) !== null);
  for (const board of keys) await copies.load(board, null);
  assert.deepEqual(isHere(), [false, false, false, true, true, true]);
  await copies.load(keys[0]!, null);
  assert.deepEqual(isHere(), [true, false, false, false, true, true]);
  const copy = await copies.load(keys[5]!, null);
  assert.deepEqual(copy!.order.list(0, 9), [4, 3, 2, 1, 0]);
  await server.close();
});

test('ranks are exact even if there is no memory for copies', async () => {
  const board = await boards.makeBoard();
  const server = boards.makeServer({ max_copy_bytes: 0 });
  await Promise.all(Array.from({ length: 30 }, (_, n) => submit(server, board, `p${n}`, n)));
  assert.equal((await submit(server, board, 'p3', 100)).rank, 1);
  assert.equal((await submit(server, board, 'p0', -1)).rank, 30);
  assert.equal((await listEntries(server, board)).length, 30);
  await server.close();
});

async function countChanges({ game_id }: BoardKey): Promise<number> {
  const row = await boards.database.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM leaderboard_changes WHERE game_id = ${game_id}`,
  );
  return row!.count;
}

/**
 * Lists a board on a server that has missed changes of the board.
 * Waits until the changes of the board's current season are logged.
 */
async function followBy(server: Leaderboards, board: BoardKey): Promise<void> {
  await listEntries(server, board);
  const followed = sql`
    SELECT FROM leaderboard_seasons
    WHERE game_id = ${board.game_id} AND followed_until > now() + interval '23 hours'`;
  await waitUntil(
    'the season is followed',
    async () => (await boards.database.execute(followed)) > 0,
  );
}

test('changes are logged only after another server has missed some', async () => {
  const board = await boards.makeBoard();
  const [busy, idle] = [boards.makeServer(), boards.makeServer()];
  for (let n = 0; n < 5; n++) await submit(busy, board, `p${n % 2}`, n);
  assert.deepEqual(await listEntries(busy, board), ['p0 4', 'p1 3']);
  assert.deepEqual(await listEntries(idle, board), ['p0 4', 'p1 3']);
  await submit(busy, board, 'p1', 5);
  assert.equal(await countChanges(board), 0);
  await followBy(idle, board);
  await submit(busy, board, 'p0', 6);
  await submit(busy, board, 'p2', 7);
  assert.equal(await countChanges(board), 2);
  assert.deepEqual(await listEntries(idle, board), ['p2 7', 'p0 6', 'p1 5']);
  await Promise.all([busy.close(), idle.close()]);
});

test('a server that still follows a season after half a day asks for another day of logs', async () => {
  const board = await boards.makeBoard();
  const [busy, idle] = [boards.makeServer(), boards.makeServer()];
  await submit(busy, board, 'p', 1);
  await listEntries(idle, board);
  await submit(busy, board, 'p', 2);
  await followBy(idle, board);
  await listEntries(idle, board);
  await boards.database.execute(sql`
    UPDATE leaderboard_seasons SET followed_until = now() + interval '11 hours'
    WHERE game_id = ${board.game_id}`);
  await submit(busy, board, 'p', 3);
  await followBy(idle, board);
  await Promise.all([busy.close(), idle.close()]);
});

test('a server that misses changes that were trimmed from the log loads the whole board', async () => {
  const board = await boards.makeBoard();
  const [busy, idle] = [boards.makeServer(), boards.makeServer()];
  await submit(busy, board, 'first', 0.25);
  assert.deepEqual(await listEntries(idle, board), ['first 0.25']);
  await submit(busy, board, 'first', 0.5);
  await followBy(idle, board);
  for (let n = 1; n <= 120; n++) await submit(busy, board, `p${n % 7}`, n);
  await busy.trimChanges();
  assert.equal(await countChanges(board), 50);
  const expected = [
    'p1 120',
    'p0 119',
    'p6 118',
    'p5 117',
    'p4 116',
    'p3 115',
    'p2 114',
    'first 0.5',
  ];
  assert.deepEqual(await listEntries(idle, board), expected);
  // The changes that remain in the log are enough for the server to follow the board from now on.
  await submit(busy, board, 'p2', 200);
  assert.equal((await submit(idle, board, 'p1', 150)).rank, 2);
  await Promise.all([busy.close(), idle.close()]);
});
