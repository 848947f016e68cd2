import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { SORT_ORDERS } from '@overworld/contract/leaderboards/settings';
import { useTwoServers } from '../../../../test/two-servers.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

const nodes = useTwoServers();
let server: TestServer;
let client: BoardClient;
before(() => {
  [server] = nodes;
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const keep = async (settings: object) => {
  const { status, text } = await client.manage('PUT', '/b', settings);
  assert.equal(status, 200, text);
};

/** @param tie_value Null to send none. */
const submit = (player_id: string, score: number, tie_value: number | null, node = server) =>
  client.submit(
    { board_name: 'b', player_id, score, ...(tie_value === null ? {} : { tie_value }) },
    node,
  );

/** Lists the entries by rank as texts `player score tie_value`. */
async function listTies(node = server): Promise<string[]> {
  const { body } = await client.page('b', 'limit=100', node);
  return body.entries.map(
    ({ player_id, score, tie_value = '-' }: Record<string, unknown>) =>
      `${player_id} ${score} ${tie_value}`,
  );
}

test('a better second number replaces an equal score, and a worse one does not', async () => {
  await keep({ tie_break: 'lower' });
  assert.equal((await submit('p1', 10, 5)).status, 201);
  assert.equal((await submit('p1', 10, 6)).body.updated, false);
  assert.equal((await submit('p1', 10, null)).body.updated, false);
  assert.equal((await submit('p1', 10, 5)).body.updated, false);
  const better = await submit('p1', 10, -4.5, nodes[1]);
  assert.deepEqual([better.body.updated, better.body.tie_value], [true, -4.5]);
  // The number belongs to the score with which it was sent.
  const higher = await submit('p1', 11, null);
  assert.deepEqual([higher.body.updated, 'tie_value' in higher.body], [true, false]);
  assert.equal((await submit('p1', 11, 1_000)).body.updated, true);
  assert.deepEqual(await listTies(nodes[1]), ['p1 11 1000']);
});

for (const order of SORT_ORDERS) {
  for (const tie_break of ['lower', 'higher']) {
    test(`random submits of many players get exact ranks: ${order}, ${tie_break}`, async () => {
      for (const keeps of ['best', 'latest', 'sum']) {
        await keep({ order, tie_break, keeps });
        await client.manage('POST', '/b/reset');
        const best = new Map<string, [score: number, tie: number | null]>();
        const isBefore = (a: [number, number | null], b: [number, number | null]) => {
          if (a[0] !== b[0]) return order === 'descending' ? a[0] > b[0] : a[0] < b[0];
          if (a[1] === b[1] || a[1] === null) return false;
          return b[1] === null || (tie_break === 'lower' ? a[1] < b[1] : a[1] > b[1]);
        };
        const sends = Array.from({ length: 120 }, (_, n) => {
          const tie = n % 7 === 0 ? null : ((n * 13) % 5) - 2;
          const sent: [number, number | null] = [(n * 17) % 4, tie];
          const player = `p${(n * 5) % 12}`;
          const known = best.get(player);
          if (known === undefined || isBefore(sent, known)) best.set(player, sent);
          return submit(player, ...sent, nodes[n % 2]);
        });
        for (const { status, text } of await Promise.all(sends)) assert.ok(status <= 201, text);
        await assertExactRanks(nodes, client, 12);
        if (keeps !== 'best') continue;
        const listed = (await listTies()).map((line) => line.split(' '));
        for (const [player, score, tie] of listed) {
          const [expected, expected_tie] = best.get(player!)!;
          assert.deepEqual([score, tie], [`${expected}`, `${expected_tie ?? '-'}`], player);
        }
      }
    });
  }
}

test('a search and the page of a player show the same ranks', async () => {
  await keep({ tie_break: 'higher' });
  for (const [player, tie] of [
    ['a', 1],
    ['b', 3],
    ['c', null],
    ['d', 2],
  ] as const) {
    await submit(`player-${player}`, 5, tie);
  }
  const ranks = { 'player-a': 3, 'player-b': 1, 'player-c': 4, 'player-d': 2 };
  const { body } = await client.manage('GET', '/b/entries?environment=production&search=player-');
  assert.deepEqual(
    Object.fromEntries(
      body.entries.map(({ player_id, rank }: Record<string, string>) => [player_id, rank]),
    ),
    ranks,
  );
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  for (const [player_id, rank] of Object.entries(ranks)) {
    const path = `/v1/games/${game_id}/players/${player_id}/leaderboards?environment=production`;
    const { body: found } = await server.request('GET', path, { token });
    assert.equal(found.scores[0].rank, rank, player_id);
  }
});

test('a score that waits, is accepted and waits again has its second number', async () => {
  await keep({
    tie_break: 'lower',
    max_gain: 5,
    first_gain_from: 0,
    on_violation: 'quarantine',
    keeps_ledger: true,
  });
  await submit('p1', 5, 9);
  await submit('p2', 5, 8);
  const waiting = await submit('p1', 100, 3);
  assert.deepEqual([waiting.body.score, waiting.body.tie_value, waiting.body.rank], [100, 3, 1]);
  // Of equal scores that break a rule, the one with the better second number waits.
  assert.equal((await submit('p1', 100, 4)).body.tie_value, 3);
  assert.equal((await submit('p1', 100, 2)).body.tie_value, 2);
  await submit('p2', 100, 1);
  const decide = (player: string) =>
    client.manage('POST', '/b/quarantine/decisions?environment=production', {
      decision: 'accept',
      player_ids: [player],
    });
  const accepted = await decide('p1');
  assert.equal(accepted.status, 201, accepted.text);
  await decide('p2');
  for (const node of nodes) assert.deepEqual(await listTies(node), ['p2 100 1', 'p1 100 2']);
  await assertExactRanks(nodes, client, 2);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  const undo = `/v1/games/${game_id}/leaderboard-decisions/${accepted.body.decision_id}/undo`;
  assert.equal((await server.request('POST', undo, { token })).status, 200);
  for (const node of nodes) assert.deepEqual(await listTies(node), ['p2 100 1', 'p1 5 9']);
});

test('a ban and its end leave the second number as it was', async () => {
  await keep({ tie_break: 'lower' });
  await submit('p1', 5, 9);
  await submit('p2', 5, 8);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  const ban = await server.request(
    'POST',
    `/v1/games/${game_id}/players/p2/leaderboard-bans?environment=production`,
    { token, body: {} },
  );
  assert.equal(ban.status, 201, ban.text);
  assert.deepEqual(await listTies(), ['p1 5 9']);
  const undo = `/v1/games/${game_id}/leaderboard-decisions/${ban.body.decision_id}/undo`;
  await server.request('POST', undo, { token });
  for (const node of nodes) assert.deepEqual(await listTies(node), ['p2 5 8', 'p1 5 9']);
  await assertExactRanks(nodes, client, 2);
});
