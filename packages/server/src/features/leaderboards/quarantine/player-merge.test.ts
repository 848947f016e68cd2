import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { listLockWaits } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

const nodes = useTwoServers();
let client: BoardClient;
let server_key: string;
let token: string;
beforeEach(async () => {
  client = await makeBoardClient(nodes[0]);
  const { game_id } = client.game;
  server_key = await nodes[0].makeKey(game_id, 'production', 'server');
  ({ token } = await nodes[0].makeAccount({ game_id }));
});

const submit = (player_id: string, score: number, board_name = 'b', node = nodes[0]) =>
  client.submit({ board_name, player_id, score }, node);
const merge = async (player_id: string, from_player_id: string) => {
  const answer = await nodes[0].request('POST', `/v1/players/${player_id}/merge`, {
    key: server_key,
    body: { from_player_id },
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const manage = async (method: string, path: string, body?: object) => {
  const { game_id } = client.game;
  const answer = await nodes[0].request(method, `/v1/games/${game_id}${path}`, { token, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const ban = (player_id: string, board_name: string | null) =>
  manage('POST', `/players/${player_id}/leaderboard-bans`, { board_name });
const undo = (decision_id: string) => manage('POST', `/leaderboard-decisions/${decision_id}/undo`);

/** Lists the scores of the player that are banned or wait for a decision. */
const listHidden = (player_id: string) =>
  nodes[0].database.query<{ state: string; score: number }>(sql`
    SELECT state, score FROM leaderboard_held_scores
    WHERE game_id = ${client.game.game_id} AND player_id = ${player_id} ORDER BY state, score`);

test('after a merge, a ban of the deleted player holds for the other player on every server, and can be undone', async () => {
  await submit('p1', 9);
  await submit('p2', 5);
  await submit('p2', 4, 'c');
  await client.standings('b', '', nodes[1]);
  const { decision_id } = await ban('p1', 'b');
  const { changes } = await merge('p2', 'p1');
  assert.deepEqual(changes.bans, ['b']);
  for (const node of nodes) {
    assert.deepEqual(await client.standings('b', '', node), []);
    assert.equal((await submit('p2', 99, 'b', node)).status, 403);
    assert.deepEqual(await client.standings('c', '', node), ['p2 4']);
  }
  assert.deepEqual(await listHidden('p2'), [{ state: 'banned', score: 9 }]);
  assert.deepEqual(await listHidden('p1'), []);
  await undo(decision_id);
  for (const node of nodes) assert.deepEqual(await client.standings('b', '', node), ['p2 9']);
});

test('after a merge, scores of the deleted player are hidden where the other player is banned', async () => {
  await submit('p1', 9);
  await submit('p2', 5);
  const { decision_id } = await ban('p2', null);
  await merge('p2', 'p1');
  for (const node of nodes) assert.deepEqual(await client.standings('b', '', node), []);
  await undo(decision_id);
  assert.deepEqual(await client.standings('b'), ['p2 9']);
});

test('a ban during a merge also hides the scores of past seasons that the merge moves', async () => {
  const { database } = nodes[0];
  const countWaiting = async () => {
    const waits = await listLockWaits(database);
    // Ingest may wait for the merge as well, and is not counted.
    const others = waits.filter(({ application_name }) => application_name !== 'overworld-inbox');
    return new Set(others.map(({ pid }) => pid)).size;
  };
  await submit('p1', 9);
  await manage('POST', '/leaderboards/b/reset');
  await submit('p2', 5);
  const calls = await database.transaction(async (tx) => {
    // The merge moves the scores before it waits for this lock.
    await tx.execute(sql`
      SELECT FROM players
      WHERE game_id = ${client.game.game_id} AND player_id = 'p1' FOR KEY SHARE`);
    const merging = merge('p2', 'p1');
    await waitUntil('the merge waits', async () => (await countWaiting()) === 1);
    let isAnswered = false;
    const banning = ban('p2', 'b').finally(() => (isAnswered = true));
    await waitUntil('the ban waits too', async () => isAnswered || (await countWaiting()) === 2);
    return [merging, banning];
  });
  await Promise.all(calls);
  for (const node of nodes) {
    for (const season of [1, 2]) {
      assert.deepEqual(await client.standings('b', `season=${season}`, node), []);
    }
  }
  assert.deepEqual(await listHidden('p2'), [
    { state: 'banned', score: 5 },
    { state: 'banned', score: 9 },
  ]);
});

test('when both players are banned from a board, a merge leaves one ban and the better score', async () => {
  await submit('p1', 9);
  await submit('p2', 5);
  const first = await ban('p1', 'b');
  const second = await ban('p2', 'b');
  await ban('p1', null);
  await merge('p2', 'p1');
  const bans = await manage('GET', '/players/p2/leaderboard-bans');
  assert.deepEqual(
    bans.bans.map(({ board_name }: { board_name: string | null }) => board_name),
    ['b', null],
  );
  assert.deepEqual(await listHidden('p2'), [{ state: 'banned', score: 9 }]);
  const again = await nodes[0].request(
    'POST',
    `/v1/games/${client.game.game_id}/leaderboard-decisions/${first.decision_id}/undo`,
    { token },
  );
  assert.equal(again.status, 409);
  await undo(second.decision_id);
  assert.deepEqual(await client.standings('b'), []);
  await undo(bans.bans[1].decision_id);
  assert.deepEqual(await client.standings('b'), ['p2 9']);
});

test('after a merge of players with waiting scores, the better score still waits, and can be accepted', async () => {
  await client.manage('PUT', '/b', {
    max_gain: 5,
    first_gain_from: 0,
    on_violation: 'quarantine',
    keeps_ledger: true,
  });
  for (const [player_id, score] of [
    ['p1', 3],
    ['p1', 50],
    ['p2', 4],
    ['p2', 40],
  ] as const) {
    await submit(player_id, score);
  }
  await merge('p2', 'p1');
  assert.deepEqual(await listHidden('p2'), [{ state: 'waiting', score: 50 }]);
  assert.deepEqual(await client.standings('b'), ['p2 4']);
  const ledger = await nodes[0].database.query<{ score: number }>(sql`
    SELECT score FROM leaderboard_submits
    WHERE game_id = ${client.game.game_id} AND player_id = 'p2' ORDER BY version, place`);
  assert.deepEqual(
    ledger.map(({ score }) => score),
    [3, 50, 4, 40],
  );
  const { decision_id } = await manage('POST', '/leaderboards/b/quarantine/decisions', {
    decision: 'accept',
  });
  for (const node of nodes) assert.deepEqual(await client.standings('b', '', node), ['p2 50']);
  await undo(decision_id);
  assert.deepEqual(await client.standings('b'), ['p2 4']);
});

test('if a decision about both players is undone after a merge, the better score waits again', async () => {
  await client.manage('PUT', '/b', { max_gain: 5, first_gain_from: 0, on_violation: 'quarantine' });
  for (const decision of ['accept', 'remove'] as const) {
    const [a, b] = [`${decision} a`, `${decision} b`];
    for (const [player_id, score] of [
      [a, 1],
      [a, 60],
      [b, 2],
      [b, 50],
    ] as const) {
      await submit(player_id, score);
    }
    const { decision_id } = await manage('POST', '/leaderboards/b/quarantine/decisions', {
      decision,
      player_ids: [a, b],
    });
    await merge(encodeURIComponent(b), a);
    await undo(decision_id);
    const hidden = await listHidden(b);
    assert.deepEqual(hidden, [{ state: 'waiting', score: 60 }], decision);
  }
  assert.deepEqual(
    (await client.standings('b')).toSorted(),
    ['accept b 1', 'remove b 2'].toSorted(),
  );
});

test('after a merge, the gain per hour counts from the score that moved, or else from the start', async () => {
  await client.manage('PUT', '/b', { max_gain_per_hour: 5, first_gain_from: 0 });
  const ruleFor = async (player_id: string, score: number) =>
    (await submit(player_id, score)).body.rule;
  await submit('p1', 4);
  for (const player_id of ['p2', 'p3', 'p4']) await submit(player_id, 1, 'c');
  await merge('p2', 'p1');
  await merge('p4', 'p3');
  // The score of p1 is only moments old.
  assert.equal(await ruleFor('p2', 5), 'max_gain_per_hour');
  assert.equal(await ruleFor('p4', 6), 'max_gain_per_hour');
  assert.equal(await ruleFor('p4', 5), undefined);
  assert.deepEqual(await client.standings('b'), ['p4 5', 'p2 4']);
});
