import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { TestServer } from '../../../../test/harness.ts';
import { makeGate } from '../../../../test/gate.ts';
import type { Gate } from '../../../../test/gate.ts';
import { sumOfNodes } from '../../../../test/nodes.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
let gate: Gate;
let client: BoardClient;
before(async () => {
  [server, secondNode] = nodes;
  gate = await makeGate(server.database, sql`leaderboard_entries`);
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const requestPlayer = async (method: string, path = '') => {
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  return server.request(method, `/v1/games/${game_id}/players/p1${path}`, { token });
};

describe('the scores of a player', () => {
  test('are exported with metadata as it was sent', async () => {
    await client.submit({ board_name: 'b', player_id: 'p1', score: 1, metadata: { a: 1 } });
    await client.manage('POST', '/b/reset');
    await client.submit({ board_name: 'b', player_id: 'p1', score: 2 });
    const { status, body } = await requestPlayer('GET', '/export');
    assert.equal(status, 200);
    assert.deepEqual(
      body.scores.map(({ updated_at: _updated_at, ...score }: { updated_at: string }) => score),
      [
        {
          board_name: 'b',
          season: 1,
          score: 1,
          tie_value: null,
          player_name: null,
          metadata: { a: 1 },
        },
        {
          board_name: 'b',
          season: 2,
          score: 2,
          tie_value: null,
          player_name: null,
          metadata: null,
        },
      ],
    );
  });

  test('are erased from all boards and seasons, on every server', async () => {
    for (const name of ['b', 'c']) {
      await client.submit({ board_name: name, player_id: 'p1', score: 9 });
      await client.submit({ board_name: name, player_id: 'p2', score: 1 });
    }
    await client.manage('POST', '/c/reset');
    await client.submit({ board_name: 'c', player_id: 'p1', score: 3 });
    await client.standings('b', '', secondNode);
    assert.equal((await requestPlayer('DELETE')).status, 204);
    for (const node of [server, secondNode]) {
      assert.deepEqual(await client.standings('b', '', node), ['p2 1']);
      assert.deepEqual(await client.standings('c', '', node), []);
      assert.deepEqual(await client.standings('c', 'season=1', node), ['p2 1']);
    }
  });

  test('are all erased, even when another entry is stored at the same time', async () => {
    await client.submit({ board_name: 'other', player_id: 'p1', score: 1 });
    const [submitted, erased] = await gate
      .close(async () => {
        const submitting = client.submit({ board_name: 'b', player_id: 'p1', score: 1 });
        await gate.waitForChange();
        const erasing = requestPlayer('DELETE');
        const waits = `
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'transactionid'`;
        await waitUntil('it waits', async () => (await sumOfNodes(server.database, waits)) > 0);
        return [submitting, erasing] as const;
      })
      .then((both) => Promise.all(both));
    assert.deepEqual([submitted.status, erased.status], [201, 204]);
    for (const node of [server, secondNode]) {
      assert.deepEqual(await client.standings('b', '', node), []);
    }
  });
});
