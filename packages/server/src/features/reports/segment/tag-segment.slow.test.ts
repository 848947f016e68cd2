import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TAGGED_PLAYERS } from '@overworld/contract/analytics/limits';
import { startTestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

test('one call can tag the maximum number of players, and a segment with one more is refused', async () => {
  const server = await startTestServer();
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    SELECT ${game_id}::uuid, 'production', 'p' || number, jsonb_build_object('number', number)
    FROM generate_series(0, ${MAX_TAGGED_PLAYERS}::integer) AS number`);
  // A cluster plans each statement with the table's statistics. In a test database, no autovacuum updates
  // these statistics.
  await server.database.execute(sql`ANALYZE players`);
  const path = `/v1/games/${game_id}/analytics/segment/tags?environment=production`;
  const body = { tag: 'vip' };
  const all = await server.request('POST', path, { token, body });
  assert.deepEqual(
    [all.status, all.body.error],
    [
      400,
      'The segment has 100,001 players; at most 100,000 can be tagged at once: add a condition',
    ],
  );
  const filter = JSON.stringify([{ property: 'number', operator: 'gt', value: 0 }]);
  const most = server.request('POST', `${path}&filter=${encodeURIComponent(filter)}`, {
    token,
    body,
  });
  // While the call runs, the game gives a player other properties and another tag. They must stay.
  for (let level = 1; level <= 20; level++) {
    const identify = { player_id: 'p5', properties: { level } };
    const answer = await server.request('POST', '/v1/identify', { key, body: identify });
    assert.equal(answer.status, 200);
  }
  await server.request('POST', '/v1/players/p5/tags', { key, body: { tag: 'own' } });
  assert.deepEqual((await most).body, { tag: 'vip', count: 100_000, changed: 100_000 });
  const { tags, properties } = (await server.request('GET', '/v1/players/p5', { key })).body;
  assert.deepEqual([tags.toSorted(), properties.level], [['own', 'vip'], 20]);
  await server.close();
});
