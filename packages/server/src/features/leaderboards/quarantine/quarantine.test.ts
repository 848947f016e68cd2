import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

let server: TestServer;
let client: BoardClient;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
  ({ token } = await server.makeAccount({ game_id: client.game.game_id }));
  const rules = { max_gain: 10, first_gain_from: 0, on_violation: 'quarantine' };
  const { status } = await client.manage('PUT', '/b', { ...rules, keeps_ledger: true });
  assert.equal(status, 200);
});

const dashboard = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1/games/${client.game.game_id}${path}`, { token, body });
const submit = (player_id: string, score: number, more: object = {}) =>
  client.submit({ board_name: 'b', player_id, score, ...more });
const decide = (decision: string, player_ids?: string[]) =>
  client.manage('POST', '/b/quarantine/decisions', { decision, player_ids });
const undo = ({ body }: TestAnswer) =>
  dashboard('POST', `/leaderboard-decisions/${body.decision_id}/undo`);
const ban = (player_id: string, board_name: string | null = 'b') =>
  dashboard('POST', `/players/${player_id}/leaderboard-bans`, { board_name, reason: 'Cheats' });
const own = async (player_id: string, query = '') =>
  (await client.page('b', `player_id=${player_id}&${query}`)).body;

test('waiting scores are listed with the broken rule, the oldest score first', async () => {
  await submit('a', 5);
  await submit('a', 50, { player_name: 'Ada', metadata: { n: 1e300 } });
  await submit('b', 40);
  const { status, body } = await client.manage('GET', '/b/quarantine?limit=1');
  assert.equal(status, 200);
  const { submitted_at, key_id, ...score } = body.scores[0];
  assert.ok(Date.parse(submitted_at) > 0 && key_id.length === 36);
  assert.deepEqual(score, {
    player_id: 'a',
    player_name: 'Ada',
    score: 50,
    metadata: { n: 1e300 },
    score_before: 5,
    rule: 'max_gain',
    reason: null,
    is_verified: false,
    network: '127.0.0.1',
  });
  const next = await client.manage('GET', `/b/quarantine?cursor=${body.next_cursor}`);
  assert.deepEqual(
    next.body.scores.map((each: { player_id: string }) => each.player_id),
    ['b'],
  );
  assert.equal(next.body.next_cursor, null);
});

test('an accepted score is public, and equal scores are ranked by the time when they were sent', async () => {
  await submit('early', 20);
  await submit('late', 8);
  await submit('late', 15);
  await submit('late', 20);
  const accepted = await decide('accept', ['early', 'nobody']);
  assert.equal(accepted.status, 201);
  assert.deepEqual([accepted.body.decided, accepted.body.waiting], [1, 0]);
  assert.deepEqual(await client.standings('b'), ['early 20', 'late 20']);
  assert.deepEqual((await undo(accepted)).body, { restored: 1, skipped: 0 });
  assert.deepEqual(await client.standings('b'), ['late 20']);
  assert.equal((await undo(accepted)).status, 409);
});

test('undoing an acceptance brings back the previous entry of the player, with its content', async () => {
  await submit('a', 7, { player_name: 'Ada', metadata: { level: 1 } });
  const { body: before_accept } = await client.page('b');
  await submit('a', 70, { player_name: 'Eve', metadata: { level: 9 } });
  const accepted = await decide('accept');
  const { entries } = (await client.page('b')).body;
  assert.deepEqual([entries[0].score, entries[0].player_name], [70, 'Eve']);
  await undo(accepted);
  assert.deepEqual((await client.page('b')).body, before_accept);
});

test('an accepted score is not undone once the player has a better score', async () => {
  await submit('a', 70);
  const accepted = await decide('accept', ['a']);
  await submit('a', 75);
  assert.deepEqual((await undo(accepted)).body, { restored: 0, skipped: 1 });
  assert.deepEqual(await client.standings('b'), ['a 75']);
});

test('a removed score is hidden from its player, and waits again after the removal is undone', async () => {
  await submit('a', 5);
  await submit('a', 50);
  assert.equal((await own('a')).player.score, 50);
  const removed = await decide('remove');
  assert.equal((await own('a')).player.score, 5);
  await undo(removed);
  assert.equal((await own('a')).player.score, 50);
});

test('only its player sees a waiting score, both on the board and in the list of neighbours', async () => {
  for (const [index, player] of ['a', 'b', 'c', 'd'].entries()) await submit(player, 9 - index);
  await submit('d', 1_008.5);
  await submit('new', 50);
  const shown = await own('d');
  assert.deepEqual(
    shown.around.map(
      (each: { rank: number; player_id: string }) => `${each.rank} ${each.player_id}`,
    ),
    ['1 d', '2 a', '3 b', '4 c'],
  );
  assert.deepEqual([shown.player.rank, shown.player.score], [1, 1_008.5]);
  assert.deepEqual([shown.total_entries, shown.entries.length], [4, 4]);
  assert.equal((await own('a')).player.rank, 1);
  assert.equal((await own('new')).player.score, 50);
  const path = '/v1/leaderboards/b/around/d?above=1&below=1';
  const around = await server.request('GET', path, { key: client.game.production_key });
  assert.deepEqual(
    around.body.entries.map((each: { player_id: string }) => each.player_id),
    ['d', 'a'],
  );
});

test('a banned player has no entries and may not submit, until the ban is undone', async () => {
  await submit('a', 5);
  await submit('a', 50);
  await submit('b', 4);
  const banned = await ban('a');
  assert.equal(banned.status, 201);
  assert.deepEqual([banned.body.kind, banned.body.score_count], ['ban', 2]);
  assert.deepEqual(await client.standings('b'), ['b 4']);
  assert.equal((await own('a')).player, null);
  const refused = await submit('a', 6);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, {
    error: 'This player is banned from this board',
    code: 'PLAYER_BANNED',
  });
  assert.equal((await ban('a')).status, 409);
  const { body } = await dashboard('GET', '/players/a/leaderboard-bans');
  assert.deepEqual([body.bans.length, body.bans[0].reason], [1, 'Cheats']);

  assert.deepEqual((await undo(banned)).body, { restored: 2, skipped: 0 });
  assert.deepEqual(await client.standings('b'), ['a 5', 'b 4']);
  assert.equal((await own('a')).player.score, 50);
  assert.equal((await submit('a', 6)).body.updated, false);
});

test('a ban from all boards holds on boards without rules and on boards that are made later', async () => {
  await client.submit({ board_name: 'plain', player_id: 'a', score: 1 });
  await client.submit({ board_name: 'plain', player_id: 'b', score: 2 });
  const banned = await ban('a', null);
  assert.equal(banned.body.board_name, null);
  for (const board_name of ['plain', 'b', 'later']) {
    const answer = await client.submit({ board_name, player_id: 'a', score: 3 });
    assert.equal(answer.status, 403, board_name);
    assert.equal(
      (await client.submit({ board_name, player_id: 'b', score: 3 })).status < 300,
      true,
    );
  }
  assert.deepEqual(await client.standings('plain'), ['b 3']);
  await undo(banned);
  assert.deepEqual(await client.standings('plain'), ['b 3', 'a 1']);
});

test('a removed entry comes back when the removal is undone', async () => {
  await submit('a', 5);
  await submit('b', 5);
  assert.equal((await client.manage('DELETE', '/b/entries/a')).status, 204);
  assert.deepEqual(await client.standings('b'), ['b 5']);
  const { body } = await client.manage('GET', '/b/decisions');
  assert.equal(body.decisions[0].kind, 'remove');
  await undo({ body: body.decisions[0] } as TestAnswer);
  assert.deepEqual(await client.standings('b'), ['a 5', 'b 5']);
});

test("the ledger shows a player's submits, the newest first", async () => {
  for (const score of [5, 3, 8, 50]) await submit('a', score);
  await submit('b', 1);
  const { status, body } = await dashboard('GET', '/players/a/leaderboards/b/submits?limit=3');
  assert.equal(status, 200);
  const short = (each: { score: number; outcome: string; rule: string | null }) =>
    `${each.score} ${each.outcome} ${each.rule}`;
  assert.deepEqual(body.submits.map(short), [
    '50 quarantined max_gain',
    '8 improved null',
    '3 kept null',
  ]);
  const path = `/players/a/leaderboards/b/submits?cursor=${body.next_cursor}`;
  assert.deepEqual((await dashboard('GET', path)).body.submits.map(short), ['5 new null']);
});

test('an erased player leaves no score, ledger or ban', async () => {
  await submit('a', 5);
  await submit('a', 50);
  await submit('stranger', 60);
  await ban('a', null);
  for (const player of ['a', 'stranger']) {
    assert.equal((await dashboard('DELETE', `/players/${player}`)).status, 204);
  }
  for (const table of [
    sql`leaderboard_entries`,
    sql`leaderboard_held_scores`,
    sql`leaderboard_submits`,
    sql`leaderboard_decisions`,
  ]) {
    const rows = await server.database.query(sql`
      SELECT FROM ${table} WHERE game_id = ${client.game.game_id} AND player_id IS NOT NULL`);
    assert.equal(rows.length, 0, table.text);
  }
  assert.equal((await submit('a', 1)).status, 201);
});

test('a request to undo a decision through another game is answered 404', async () => {
  await submit('a', 50);
  const accepted = await decide('accept');
  const other = await makeBoardClient(server);
  const { token: stranger } = await server.makeAccount({ game_id: other.game.game_id });
  const path = `/v1/games/${other.game.game_id}/leaderboard-decisions/${accepted.body.decision_id}/undo`;
  assert.equal((await server.request('POST', path, { token: stranger })).status, 404);
  assert.deepEqual(await client.standings('b'), ['a 50']);
});
