import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { countNaively, readRollups } from '../test/naive-rollups.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('DELETE …/players/{player_id} erases the player from all rollups, even while events come', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const track = (player_id: string, days_ago: number) =>
    server.request('POST', '/v1/track', {
      key,
      body: [1, 2].map((number) => ({
        event_name: `e${number}`,
        session_id: `s${days_ago}`,
        player_id,
        client_timestamp: new Date(Date.now() - days_ago * 86_400_000).toISOString(),
      })),
    });
  const path = `/v1/games/${game_id}/players/leaving`;
  await Promise.all([0, 1, 5, 40].flatMap((days) => [track('leaving', days), track('b', days)]));
  // This read waits until the acknowledged events are processed.
  await server.request('GET', `/v1/games/${game_id}/events`, { token });

  const exported = await server.request('GET', `${path}/export`, { token });
  assert.equal(exported.body.activity.active_days.length, 4);
  assert.equal(exported.body.activity.first_day, exported.body.activity.active_days[0]);

  const [deleted] = await Promise.all([
    server.request('DELETE', path, { token }),
    ...[0, 1, 2, 3].map((days) => track('b', days)),
  ]);
  assert.equal(deleted!.status, 204);
  await server.request('GET', `/v1/games/${game_id}/events`, { token });
  const rollups = await readRollups(server.database, game_id);
  assert.deepEqual(rollups, await countNaively(server.database, game_id, 'UTC'));
  assert.ok(!JSON.stringify(rollups).includes('leaving'));
});
