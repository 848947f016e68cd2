import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Queryable } from '../../../platform/database/database.ts';
import { inOneGroup } from '../../../platform/database/game-groups.ts';
import { ApiError } from '../../../platform/errors.ts';
import { BoardCopies } from '../copies/board-copies.ts';
import { createBoardOpener } from '../copies/board-opener.ts';
import { logChanges } from '../copies/followed-seasons.ts';
import { putBoard } from '../seasons/boards.ts';
import type { Settings } from '../seasons/settings-store.ts';
import { takeOffEntry } from '../entries/entry-removal.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { createPageReader } from '../pages/page-reader.ts';
import { createScoreWriter } from './score-writer.ts';
import { resetBoard } from '../seasons/seasons.ts';
import type { BoardKey } from '../store.ts';
import {
  clock,
  DEFAULT_SETTINGS,
  listEntries,
  MEGABYTE,
  openBoardDatabase,
  submit,
} from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

const actor = { account: null, ip: null };

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
});
after(() => boards.close());

/**
 * Wraps the database of a board, so that a test can change the board before or after a statement of a
 * submit. Outside a transaction, `on.before` and `on.after` are called around each statement. In a
 * transaction (on a cluster, all submits are stored in transactions), `on.before` is called before each
 * statement, until the transaction locks a season.
 */
const interrupt = (
  { game_id }: BoardKey,
  on: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
) => {
  const group = boards.database.ofGame(game_id);
  let isLocked = false;
  const interruptTransaction = (tx: Queryable): Queryable => ({
    ...tx,
    async query(statement) {
      if (!isLocked) await on.before?.();
      return tx.query<never>(statement);
    },
    execute(statement) {
      isLocked ||= statement.text.includes('lock_timeout');
      return tx.execute(statement);
    },
  });
  return inOneGroup({
    ...group,
    async query(statement) {
      await on.before?.();
      const rows = await group.query<never>(statement);
      await on.after?.();
      return rows;
    },
    transaction: (work) => group.transaction((tx) => work(interruptTransaction(tx))),
  });
};

/**
 * The statement that stores the submit is the first one. If the server must first read the board again,
 * it is the third one.
 */
for (const storing of [1, 3]) {
  describe(`a submit that is overtaken before statement ${storing}`, () => {
    let board: BoardKey;
    let other: Leaderboards;
    beforeEach(async () => {
      board = await boards.makeBoard();
      other = boards.makeServer();
      await submit(other, board, 'a', 1);
      await submit(other, board, 'b', 5);
      await logChanges(boards.database, { board, season: 1 });
    });
    after(() => other.close());

    const put = (changes: Partial<Settings> = {}) =>
      putBoard(
        boards.database,
        board,
        { ...DEFAULT_SETTINGS, ...changes },
        {
          actor,
          now: clock(),
          only_new: false,
          requireKnown: async () => {},
        },
      );

    /**
     * Submits to one server. Just before that server stores the submit, `overtake` changes the board on
     * another server.
     */
    async function submitOvertaken(
      player_id: string,
      score: number,
      overtake: () => Promise<unknown>,
    ) {
      let statements = 0;
      const hot = interrupt(board, {
        async before() {
          statements++;
          if (statements === storing) await overtake();
          else if (statements === 1) await put();
        },
      });
      const server = boards.makeServer({ hot });
      try {
        const submitted = await submit(server, board, player_id, score);
        assert.ok(statements >= storing);
        return submitted;
      } finally {
        await server.close();
      }
    }

    test('changes nothing if a better score of the same player was faster', async () => {
      const submitted = await submitOvertaken('a', 10, () => submit(other, board, 'a', 20));
      assert.deepEqual([submitted.updated, submitted.entry.score], [false, 20]);
      assert.deepEqual(await listEntries(other, board), ['a 20', 'b 5']);
    });

    test('ranks behind an equal score of another player that was faster', async () => {
      const submitted = await submitOvertaken('a', 10, () => submit(other, board, 'c', 10));
      assert.equal(submitted.rank, 2);
      assert.deepEqual(await listEntries(other, board), ['c 10', 'a 10', 'b 5']);
    });

    test('goes to the new season if a reset was faster', async () => {
      const reset = () => resetBoard(boards.database, board, actor, clock());
      const submitted = await submitOvertaken('a', 10, reset);
      assert.deepEqual([submitted.is_new, submitted.rank, submitted.total_entries], [true, 1, 1]);
      assert.deepEqual(await listEntries(other, board), ['a 10']);
      assert.deepEqual(await listEntries(other, board, 1), ['b 5', 'a 1']);
    });

    test('makes a new entry if the removal of its entry was faster', async () => {
      const season = { ...board, season: 1 };
      const remove = () =>
        takeOffEntry(boards.database, season, 'a', { state: 'removed', reason: null }, actor);
      const submitted = await submitOvertaken('a', 3, remove);
      assert.deepEqual([submitted.is_new, submitted.rank], [true, 2]);
      assert.deepEqual(await listEntries(other, board), ['b 5', 'a 3']);
    });

    test('is refused if new bounds that exclude it were faster', async () => {
      await assert.rejects(
        submitOvertaken('a', 10, () => put({ max_score: 9 })),
        (error) => {
          assert.ok(error instanceof ApiError);
          assert.deepEqual(
            [error.status, error.message],
            [400, 'score must be at most 9 on this board'],
          );
          return true;
        },
      );
      assert.deepEqual(await listEntries(other, board), ['b 5', 'a 1']);
    });

    test('locks the season before storing if other submits were faster at each attempt without a lock', async () => {
      let score = 10;
      const hot = interrupt(board, { before: () => submit(other, board, 'b', ++score) });
      const server = boards.makeServer({ hot });
      const submitted = await submit(server, board, 'a', 100);
      assert.deepEqual([submitted.updated, submitted.rank], [true, 1]);
      assert.deepEqual(await listEntries(other, board), ['a 100', `b ${score}`]);
      await server.close();
    });

    test('is ranked by the new order if a change of the order was faster', async () => {
      const submitted = await submitOvertaken('a', 10, () => put({ order: 'ascending' }));
      assert.deepEqual([submitted.updated, submitted.rank], [false, 1]);
      assert.deepEqual(await listEntries(other, board), ['a 1', 'b 5']);
    });
  });
}

test('a page is exact even if a submit changes an entry during every read', async () => {
  const board = await boards.makeBoard();
  const copies = new BoardCopies(boards.database, MEGABYTE);
  const seeding = boards.makeServer();
  for (const player of ['a', 'b', 'c']) await submit(seeding, board, player, 0);
  const { database } = boards;
  const opener = createBoardOpener({ database, copies, clock, workers: 1 });
  const trimmer = { note() {}, async trim() {} };
  const scores = createScoreWriter({
    hot: database,
    copies,
    opener,
    trimmer,
    keys: trimmer,
    clock,
  });
  let raised = 0;
  const raising = interrupt(board, { after: () => submit({ scores }, board, 'c', ++raised) });
  const pages = createPageReader({ hot: raising, database, copies, opener, clock });
  assert.deepEqual(await listEntries({ pages }, board), [`c ${raised}`, 'a 0', 'b 0']);
  // One round finds that the board must be loaded. Two batches of three rounds follow.
  assert.equal(raised, 1 + 2 * 3);
  await Promise.all([scores.close(), pages.close(), seeding.close()]);
});
