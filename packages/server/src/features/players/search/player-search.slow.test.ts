import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeGameWith } from '../test/game-with-players.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a total is exact up to 10,000 players, and counts only the first 10,000 of more', async () => {
  const { game_id, list } = await makeGameWith(server, [
    { id: 'old', tags: ['vip'] },
    { id: 'new', tags: ['vip'] },
  ]);
  const totalOf = async (query: Record<string, string>) =>
    (await list({ limit: '1', with_total: 'true', ...query })).body.total;
  await server.database.execute(sql`
    UPDATE players SET last_seen_at = '2026-01-01' WHERE game_id = ${game_id} AND player_id = 'old'`);
  assert.deepEqual(await totalOf({}), { count: 2, is_exact: true });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, last_seen_at)
    SELECT ${game_id}, 'production', 'p' || number, '2026-02-01'
    FROM generate_series(1, 9998) AS number`);
  assert.deepEqual(await totalOf({}), { count: 10_000, is_exact: true });
  assert.deepEqual(await totalOf({ tag: 'vip' }), { count: 2, is_exact: true });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, last_seen_at)
    VALUES (${game_id}, 'production', 'one more', '2026-02-02'),
           (${game_id}, 'production', 'one too many', '2026-02-02')`);
  assert.deepEqual(await totalOf({}), { count: 10_000, is_exact: false });
  assert.deepEqual(await totalOf({ tag: 'vip' }), { count: 1, is_exact: false });
  assert.deepEqual(await totalOf({ search: 'many' }), { count: 1, is_exact: true });
});
