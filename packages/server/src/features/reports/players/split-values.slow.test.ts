import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a split by a property with more values than a report keeps is refused', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    SELECT ${game_id}, 'production', 'player-' || n, jsonb_build_object('key', n)
    FROM generate_series(1, 50000) AS n`);
  const split = () =>
    server.request('GET', `/v1/games/${game_id}/analytics/active-players?split_by=property:key`, {
      token,
    });
  assert.equal((await split()).status, 200);
  await server.database.execute(sql`
    UPDATE players SET properties = '{"key":"one more"}'
    WHERE game_id = ${game_id} AND player_id = 'player-1'`);
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    VALUES (${game_id}, 'production', 'further', '{"key":1}')`);
  const { status, body } = await split();
  assert.deepEqual(
    [status, body.error],
    [400, 'split_by must name a property with at most 50,000 values'],
  );
});
