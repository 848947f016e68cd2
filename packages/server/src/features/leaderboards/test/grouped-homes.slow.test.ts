import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';

test('every worker shows the boards of a game that another server has made in a group', async () => {
  const options = { groups: 2, env: { WORKERS: '2' } };
  const server = await startTestServer(options);
  const second = await startTestServer({ ...options, database_url: server.database_url });
  try {
    const { production_key: key } = await server.makeGame();
    for (let board = 0; board < 8; board++) {
      const body = { board_name: `board-${board}`, player_id: 'p', score: 1 };
      const submitted = await server.request('POST', '/v1/leaderboards', { key, body });
      assert.equal(submitted.status, 201);
      const page = await second.request('GET', `/v1/leaderboards/board-${board}`, { key });
      assert.equal(page.status, 200, JSON.stringify(page.body));
    }
  } finally {
    await second.close();
    await server.close();
  }
});
