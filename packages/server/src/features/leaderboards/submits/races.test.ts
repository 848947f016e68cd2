import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { TestServer } from '../../../../test/harness.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
let client: BoardClient;
before(() => {
  [server, secondNode] = nodes;
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

test('of 200 submits of one player at the same time, the best score is stored', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const body = { board_name: 'b', player_id: 'p1', score: (n * 77) % 200 };
      return client.submit(body, n % 3 ? server : secondNode);
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.ok(answers.every(({ status }) => status <= 201));
  const reached = answers.filter(({ body }) => body.updated).map(({ body }) => body.score);
  assert.equal(new Set(reached).size, reached.length);
  assert.deepEqual(await client.standings('b'), ['p1 199']);
});

test('200 submits of 200 players at the same time get exact ranks', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const body = { board_name: 'b', player_id: `p${n}`, score: (n * 7) % 40 };
      return client.submit(body, n % 2 ? server : secondNode);
    }),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  for (const { body } of answers) assert.ok(body.rank <= body.total_entries);
  await assertExact(client, 200);
});

test('a worse score that is sent at the same time never replaces a better score', async () => {
  for (let round = 0; round < 20; round++) {
    const submit = (score: number, node: TestServer) =>
      client.submit({ board_name: 'b', player_id: `p${round}`, score }, node);
    await Promise.all([
      submit(1, server),
      submit(3, secondNode),
      submit(2, server),
      submit(3, server),
    ]);
    const { body } = await client.page('b', `player_id=p${round}`);
    assert.equal(body.player.score, 3);
  }
});

const assertExact = (board: BoardClient, expected_entries?: number) =>
  assertExactRanks(nodes, board, expected_entries);
