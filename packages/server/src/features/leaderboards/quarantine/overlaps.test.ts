import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, test } from 'node:test';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { inOneGroup } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { eraseData } from '../../../platform/players/player-tables.ts';
import { IS_SPREAD } from '../../../../test/test-database.ts';
import { waitForLocks } from '../../../../test/wait-for-lock.ts';
import type { Leaderboards } from '../leaderboards.ts';
import { SCORE_SOURCES } from '../player-data.ts';
import { putBoard } from '../seasons/boards.ts';
import { resetBoard } from '../seasons/seasons.ts';
import { ofSeason } from '../store.ts';
import type { BoardKey } from '../store.ts';
import {
  clock,
  DEFAULT_SETTINGS,
  listEntries,
  openBoardDatabase,
  submit,
} from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';
import { banPlayer } from './bans.ts';
import { BEFORE_ALL, removeScores } from './decided-scores.ts';
import { changeSeason, decideScores } from './decisions.ts';
import { undoDecision } from './undo-decision.ts';

/** Tests of bans, erasures and submits of one player at the same time. */

const actor = { account: null, ip: null };
const RULES = { max_gain: 10, first_gain_from: 0, on_violation: 'quarantine' } as const;

let boards: BoardDatabase;
let database: Database;
let board: BoardKey;
let server: Leaderboards;
before(async () => {
  boards = await openBoardDatabase();
  ({ database } = boards);
});
after(() => boards.close());
beforeEach(async () => {
  board = await boards.makeBoard();
  server = boards.makeServer();
  const settings = { ...DEFAULT_SETTINGS, ...RULES, keeps_ledger: true };
  const put = { actor, now: clock(), only_new: false, requireKnown: async () => {} };
  await putBoard(database, board, settings, put);
});

const ban = (board_name: string | null) =>
  banPlayer(database, { ...board, player_id: 'a' }, { board_name, reason: null }, actor);
const undo = (decision_id: string) => undoDecision(database, board.game_id, decision_id, actor);

test('if a player is erased while a submit is decided, the submit counts as the first submit of the player', async () => {
  await submit(server, board, 'a', 100);
  let statements = 0;
  const overtake = <Handle extends Queryable>(handle: Handle): Handle => ({
    ...handle,
    async query(statement) {
      // The first statement reads the player, and the second statement stores the decision.
      if (++statements === 2) {
        await database.transaction(async (tx) => {
          const player = { ...board, player_id: 'a' };
          for (const source of SCORE_SOURCES) await eraseData(tx, source, player);
          await tx.execute(sql`DELETE FROM players WHERE game_id = ${board.game_id}`);
        });
      }
      return handle.query<never>(statement);
    },
  });
  const hot = inOneGroup({
    ...overtake<Database>(database),
    // On a cluster, both statements are in one transaction.
    transaction: (work) => database.transaction((tx) => work(overtake(tx))),
  });
  const second = boards.makeServer({ hot });
  const { is_new, entry } = await submit(second, board, 'a', 50);
  assert.ok(statements >= 2);
  assert.deepEqual([is_new, entry.score], [true, 50]);
  const ledger = await database.query<object>(sql`
    SELECT score, outcome::text FROM leaderboard_submits
    JOIN players USING (game_id, environment, player_id)
    WHERE game_id = ${board.game_id}`);
  assert.deepEqual(ledger, [{ score: 50, outcome: 'quarantined' }]);
  await second.close();
});

test('a ban also changes the versions of past seasons, so that concurrent decisions on their scores are redone', async () => {
  await submit(server, board, 'a', 100);
  await resetBoard(database, board, actor, clock());
  const versionOfFirst = () =>
    database.queryOne<object>(sql`
      SELECT version FROM leaderboard_seasons WHERE ${ofSeason({ ...board, season: 1 })}`);
  const version = await versionOfFirst();
  await ban('b');
  assert.notDeepEqual(await versionOfFirst(), version);
});

for (const names of [
  ['b', null],
  [null, 'b'],
]) {
  test(`bans (${names.map((name) => name ?? 'all boards').join(', ')}) hide a score until both end`, async () => {
    await submit(server, board, 'a', 5);
    const first = await ban(names[0] ?? null);
    const second = await ban(names[1] ?? null);
    assert.deepEqual(await undo(first.decision_id), { restored: 0, skipped: 0 });
    assert.deepEqual(await listEntries(server, board), []);
    assert.deepEqual(await undo(second.decision_id), { restored: 1, skipped: 0 });
    assert.deepEqual(await listEntries(server, board), ['a 5']);
  });
}

test('no score is lost when a ban is undone while another one begins', async () => {
  await submit(server, board, 'a', 5);
  const first = await ban('b');
  const [second, undone] = await database.transaction(async (tx) => {
    await tx.execute(sql`
      SELECT FROM leaderboard_seasons WHERE ${ofSeason({ ...board, season: 1 })} FOR UPDATE`);
    const banning = ban(null);
    await waitForLocks(database, 1);
    const undoing = undo(first.decision_id);
    await waitForLocks(database, 2);
    return [banning, undoing] as const;
  });
  await undone;
  assert.deepEqual(await undo((await second).decision_id), { restored: 1, skipped: 0 });
  assert.deepEqual(await listEntries(server, board), ['a 5']);
});

test('a decision on many scores stops if it is undone before all of them are decided', async () => {
  const players = Array.from({ length: 120 }, (_, index) => `p${index}`);
  await Promise.all(players.map((player) => submit(server, board, player, 100)));
  const season = { ...board, season: 1 };
  // To decide the first hundred scores, the server locks the season. It then pauses for twice the time
  // that it held the lock.
  const deciding = await database.transaction(async (tx) => {
    await tx.execute(sql`
      SELECT FROM leaderboard_held_scores
      WHERE game_id = ${board.game_id} ORDER BY seq LIMIT 1 FOR UPDATE`);
    const accepting = Promise.allSettled([decideScores(database, season, 'accept', null, actor)]);
    await waitForLocks(database, 1);
    await sleep(IS_SPREAD ? 4_000 : 500);
    return { accepting };
  });
  let found: { decision_id: string } | null = null;
  while (found === null) {
    found = await database.queryOne(sql`
      SELECT decision_id FROM leaderboard_decisions WHERE game_id = ${board.game_id}`);
  }
  assert.deepEqual(await undo(found.decision_id), { restored: 100, skipped: 0 });
  const [outcome] = await deciding.accepting;
  assert.equal(outcome.status === 'rejected' && outcome.reason.status, 409);
  assert.deepEqual(await listEntries(server, board), []);
});

test('after an undo, the rest of a decision leaves out the scores that it had decided before', async () => {
  for (const player of ['a', 'b']) await submit(server, board, player, 100);
  const season = { ...board, season: 1 };
  const remove = async (after_seq: number) => {
    const choice = { player_ids: null, after_seq, limit: 1 };
    const removed = await changeSeason(database, season, (tx, locked) =>
      removeScores(tx, locked, randomUUID(), choice),
    );
    return removed!;
  };
  const first = await remove(BEFORE_ALL);
  await database.execute(sql`
    UPDATE leaderboard_held_scores SET state = 'waiting', decision_id = NULL
    WHERE game_id = ${board.game_id}`);
  const second = await remove(first.last_seq!);
  assert.deepEqual(
    [first, second].map(({ scores }) => scores.map(({ player_id }) => player_id)),
    [['a'], ['b']],
  );
});
