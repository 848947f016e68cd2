import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SUM } from '@overworld/contract/leaderboards/kept-scores';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { makeMergeBoard } from '../test/merge-board.ts';

const nodes = useTwoServers();

test('the sums of merged players are added up', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.manage('PUT', '/b', { keeps: 'sum' });
  for (const player of [1, 2, 3]) await client.submitOf(player, player * 10);
  await client.submitOf(1, 5);
  await client.standings('b', '', nodes[1]);
  const { body } = await client.merge(2, 1);
  assert.deepEqual(body.changes.scores, [{ board_name: 'b', season: 1, score: 35, kept: 'both' }]);
  for (const node of nodes) {
    assert.deepEqual(await client.standings('b', '', node), ['p2 35', 'p3 30']);
  }
  await client.merge(3, 2);
  assert.equal((await client.submitOf(3, 1)).body.score, 66);
  await assertExactRanks(nodes, client, 1);
});

test('the sum of merged players never passes the greatest one', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.manage('PUT', '/b', { keeps: 'sum' });
  await client.submitOf(1, MAX_SUM);
  await client.submitOf(2, MAX_SUM - 1);
  assert.equal((await client.merge(2, 1)).status, 200);
  assert.deepEqual(await client.standings('b'), [`p2 ${MAX_SUM}`]);
});

test('the sums of players who were banned are added up too, and come back together', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.manage('PUT', '/b', { keeps: 'sum' });
  await client.submitOf(1, 10);
  await client.submitOf(2, 5);
  const { game_id } = client.game;
  const { token } = await nodes[0].makeAccount({ game_id });
  const ban = (player: number) =>
    nodes[0].request(
      'POST',
      `/v1/games/${game_id}/players/p${player}/leaderboard-bans?environment=production`,
      { token, body: {} },
    );
  await ban(1);
  const kept = await ban(2);
  assert.equal((await client.merge(2, 1)).status, 200);
  const undo = `/v1/games/${game_id}/leaderboard-decisions/${kept.body.decision_id}/undo`;
  assert.equal((await nodes[0].request('POST', undo, { token })).status, 200);
  for (const node of nodes) assert.deepEqual(await client.standings('b', '', node), ['p2 15']);
  await assertExactRanks(nodes, client, 1);
});

test('of two latest scores, a merge keeps the later one', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.manage('PUT', '/b', { keeps: 'latest' });
  await client.submitOf(1, 9);
  await client.submitOf(2, 1);
  await client.submitOf(3, 8);
  await client.merge(2, 1);
  for (const node of nodes) {
    assert.deepEqual(await client.standings('b', '', node), ['p3 8', 'p2 1']);
  }
  await client.merge(2, 3);
  assert.deepEqual(await client.standings('b'), ['p2 8']);
  await assertExactRanks(nodes, client, 1);
});

test('of equal scores, a merge keeps the one with the better second number', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.manage('PUT', '/b', { tie_break: 'lower' });
  const submit = (player: number, tie_value: number) =>
    client.submit({ board_name: 'b', player_id: `p${player}`, score: 5, tie_value });
  await submit(1, 9);
  await submit(2, 3);
  await submit(3, 4);
  await client.merge(1, 2);
  await assertExactRanks(nodes, client, 2);
  assert.deepEqual(await client.standings('b', '', nodes[1]), ['p1 5', 'p3 5']);
});
