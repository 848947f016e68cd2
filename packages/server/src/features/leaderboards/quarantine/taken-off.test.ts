import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { waitForLocks } from '../../../../test/wait-for-lock.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { deleteOldDecisions } from './housekeeping.ts';

/** These tests are about entries that members of a game hide from a board. */

let server: TestServer;
let client: BoardClient;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
  ({ token } = await server.makeAccount({ game_id: client.game.game_id, role: 'developer' }));
  for (const [player_id, score] of [
    ['a', 50],
    ['b', 50],
    ['c', 40],
  ] as const) {
    await submit(player_id, score);
  }
});

const dashboard = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1/games/${client.game.game_id}${path}`, { token, body });
const submit = (player_id: string, score: number, more: object = {}) =>
  client.submit({ board_name: 'b', player_id, score, ...more });
const takeOff = (player_id: string, body: object = { state: 'waiting', reason: 'Wall hack' }) =>
  dashboard('POST', `/leaderboards/b/entries/${player_id}/quarantine`, body);
const decide = (decision: string) => client.manage('POST', '/b/quarantine/decisions', { decision });
const undo = async (decision_id: string) =>
  (await dashboard('POST', `/leaderboard-decisions/${decision_id}/undo`)).body;
const listWaiting = async () => (await client.manage('GET', '/b/quarantine')).body.scores;
const own = async (player_id: string) =>
  (await client.page('b', `player_id=${player_id}`)).body.player;

test('a hidden entry is in the list of waiting scores with its reason, and on the board only its player sees it', async () => {
  const { status, body } = await takeOff('a');
  assert.deepEqual(
    [status, body.kind, body.reason, body.player_id, body.score_count],
    [201, 'quarantine', 'Wall hack', 'a', 1],
  );
  assert.deepEqual(await client.standings('b'), ['b 50', 'c 40']);
  assert.equal((await own('a')).score, 50);
  const [waiting] = await listWaiting();
  assert.deepEqual(
    [waiting.player_id, waiting.rule, waiting.reason, waiting.key_id, waiting.network],
    ['a', 'by_hand', 'Wall hack', null, null],
  );
  const { audit_log } = (await dashboard('GET', '/audit-log?limit=1')).body;
  assert.deepEqual(
    [audit_log[0].action, audit_log[0].details.player_id, audit_log[0].details.reason],
    ['take_off_entry', 'a', 'Wall hack'],
  );
});

test('a hidden entry returns to its place among equal scores if it is accepted or if the hiding is undone', async () => {
  const before_all = (await client.page('b')).body;
  const taken = await takeOff('a');
  assert.deepEqual(await undo(taken.body.decision_id), { restored: 1, skipped: 0 });
  assert.deepEqual((await client.page('b')).body, before_all);
  await takeOff('a');
  await decide('accept');
  assert.deepEqual((await client.page('b')).body, before_all);
  assert.deepEqual(await listWaiting(), []);
});

test('an undo restores the hidden entry, unless the player has reached a better score since', async () => {
  const low = await takeOff('c');
  const high = await takeOff('a');
  await submit('c', 45);
  await submit('a', 30);
  assert.deepEqual(await client.standings('b'), ['b 50', 'c 45', 'a 30']);
  for (const { body } of [low, high]) {
    assert.deepEqual(await undo(body.decision_id), { restored: 1, skipped: 0 });
  }
  assert.deepEqual(await client.standings('b'), ['a 50', 'b 50', 'c 45']);
});

test('an undo of the hiding skips a score if it was accepted or removed since, or replaced by a new waiting score', async () => {
  const accepted = await takeOff('a');
  await decide('accept');
  assert.deepEqual(await undo(accepted.body.decision_id), { restored: 0, skipped: 1 });
  const removed = await takeOff('b');
  const removal = await decide('remove');
  assert.deepEqual(await undo(removed.body.decision_id), { restored: 0, skipped: 1 });
  await undo(removal.body.decision_id);
  assert.equal((await listWaiting())[0].player_id, 'b');

  await client.manage('PUT', '/b', { max_gain: 5, first_gain_from: 0, on_violation: 'quarantine' });
  const replaced = await takeOff('c');
  await submit('c', 90);
  assert.deepEqual(await undo(replaced.body.decision_id), { restored: 0, skipped: 1 });
  const rules = (await listWaiting()).map(({ rule, reason }: Record<string, string>) => [
    rule,
    reason,
  ]);
  assert.deepEqual(rules, [
    ['by_hand', 'Wall hack'],
    ['max_gain', null],
  ]);
});

test('of two concurrent undos of one decision, one takes effect and the other is refused', async () => {
  const { body } = await takeOff('a');
  const path = `/leaderboard-decisions/${body.decision_id}/undo`;
  const answers = await server.database.transaction(async (tx) => {
    await tx.execute(sql`
      SELECT FROM leaderboard_seasons WHERE game_id = ${client.game.game_id} FOR UPDATE`);
    const undos = [dashboard('POST', path), dashboard('POST', path)];
    await waitForLocks(server.database, 2);
    return { undos };
  });
  const [first, second] = (await Promise.all(answers.undos)).toSorted(
    (a, b) => a.status - b.status,
  );
  assert.deepEqual([first!.status, first!.body], [200, { restored: 1, skipped: 0 }]);
  assert.deepEqual([second!.status, second!.body.error], [409, 'The decision is undone already']);
  assert.deepEqual(await client.standings('b'), ['a 50', 'b 50', 'c 40']);
});

test('a removed entry has a reason, is hidden even from its player, and is restored by an undo', async () => {
  const { status, body } = await takeOff('a', { state: 'removed', reason: 'Bought' });
  assert.deepEqual([status, body.kind, body.reason], [201, 'remove', 'Bought']);
  assert.deepEqual([await own('a'), await listWaiting()], [null, []]);
  assert.deepEqual(await undo(body.decision_id), { restored: 1, skipped: 0 });
  assert.deepEqual(await client.standings('b'), ['a 50', 'b 50', 'c 40']);
});

test('a hidden score can be restored even after the time for which other decisions are stored', async () => {
  const { body } = await takeOff('a');
  await server.database.execute(sql`
    UPDATE leaderboard_decisions SET decided_at = now() - interval '31 days'
    WHERE game_id = ${client.game.game_id}`);
  await deleteOldDecisions(server.database.ofGame(client.game.game_id));
  assert.equal((await listWaiting())[0].reason, 'Wall hack');
  assert.deepEqual(await undo(body.decision_id), { restored: 1, skipped: 0 });
});

test('a request to hide an entry is refused if the entry is unknown, its player has a waiting score, or the body is bad', async () => {
  const rules = { max_gain: 5, first_gain_from: 0, on_violation: 'quarantine' };
  await client.manage('PUT', '/b', rules);
  await submit('a', 900);
  assert.equal((await takeOff('a')).status, 409);
  assert.equal((await takeOff('nobody')).status, 404);
  assert.equal((await takeOff('a', { state: 'waiting', season: 9 })).status, 404);
  for (const [body, field] of [
    [{}, /state/],
    [{ state: 'accepted' }, /state/],
    [{ state: 'waiting', reason: 'x'.repeat(501) }, /reason/],
  ] as const) {
    const { status, body: refused } = await takeOff('a', body);
    assert.equal(status, 400);
    assert.match(refused.error, field);
  }
  assert.deepEqual(await client.standings('b'), ['a 50', 'b 50', 'c 40']);
  assert.equal((await takeOff('a', { state: 'removed' })).status, 201);
});

test('a merge of players moves the hidden score and its decision, and an erasure deletes both', async () => {
  const { body } = await takeOff('a');
  const { token: admin } = await server.makeAccount({ game_id: client.game.game_id });
  const send = (method: string, path: string, sent?: object) =>
    server.request(method, `/v1/games/${client.game.game_id}${path}`, { token: admin, body: sent });
  const merged = await send('POST', '/players/c/merge', { from_player_id: 'a' });
  assert.ok(merged.status < 300, merged.text);
  const { taken_off_scores, leaderboard_bans } = (await send('GET', '/players/c/export')).body;
  assert.deepEqual([taken_off_scores.length, leaderboard_bans], [1, []]);
  assert.deepEqual(await undo(body.decision_id), { restored: 1, skipped: 0 });
  assert.deepEqual(await client.standings('b'), ['c 50', 'b 50']);
  await takeOff('c');
  assert.equal((await send('DELETE', '/players/c')).status, 204);
  const { decisions } = (await dashboard('GET', '/leaderboards/b/decisions')).body;
  assert.deepEqual([decisions, await listWaiting()], [[], []]);
});
