import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../../test/harness.ts';
import { killRestorers } from '../../../../test/kill-restorations.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeRestorationGame } from './test/restoration-game.ts';

const PLAYERS = 4_000;

const folder = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
after(() => rm(folder, { recursive: true, force: true }));

test('servers that are killed at any moment restore each save once, and take each back once', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: database_url }, settings);
  const { game_id, token, path } = await prepare(database_url);
  const restoration = {
    folder,
    database_url,
    database,
    game_id,
    token,
    path,
    table: 'save_restorations',
    items: PLAYERS,
    async countChanged(column: string) {
      const changed = await database.queryOne<{ saves: number }>(sql`
        SELECT count(*) AS saves FROM saves
        WHERE game_id = ${game_id} AND version = ${column === 'restored_count' ? 3 : 4}`);
      return changed!.saves;
    },
  };
  await killRestorers(restoration, async (state) => {
    const saves = await database.query(sql`
      SELECT version, data, count(*) AS saves
      FROM saves JOIN save_versions USING (game_id, environment, player_id, slot, version)
      WHERE game_id = ${game_id} GROUP BY version, data`);
    const expected =
      state === 'done'
        ? { version: 3, data: '{"coins":100}', saves: PLAYERS }
        : { version: 4, data: '{"coins":10}', saves: PLAYERS };
    assert.deepEqual(saves, [expected]);
  });
  await database.close();
  await drop();
});

/** Makes a game whose saves are counted, in a server that then ends. */
async function prepare(database_url: string) {
  await using server = await startTestServer({ database_url, groups: 1 });
  const { game_id, token, count } = await makeRestorationGame(server);
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'p' || number FROM generate_series(1, ${PLAYERS}) AS number`);
  await server.database.execute(sql`
    INSERT INTO saves (game_id, environment, player_id, slot, revision, version, saved_at, hour_ends)
    SELECT ${game_id}, 'production', 'p' || number, 'main', 5, 2, now(), 0
    FROM generate_series(1, ${PLAYERS}) AS number`);
  await server.database.execute(sql`
    INSERT INTO save_versions
      (game_id, environment, player_id, slot, place, version, data, app_version, saved_at)
    SELECT ${game_id}, 'production', 'p' || number, 'main', version, version,
           CASE version WHEN 1 THEN '{"coins":100}' ELSE '{"coins":10}' END,
           CASE version WHEN 1 THEN '1.4.2' ELSE '1.5.0' END, now()
    FROM generate_series(1, ${PLAYERS}) AS number, generate_series(1, 2) AS version`);
  const { restoration_id, save_count } = await count({ app_versions: ['1.5.0'] });
  assert.equal(save_count, PLAYERS);
  // It begins only with the servers that are killed.
  await server.database.execute(sql`
    UPDATE save_restorations SET state = 'paused', started_at = now(), played_on = 'skip'
    WHERE game_id = ${game_id}`);
  return { game_id, token, path: `/v1/games/${game_id}/save-restorations/${restoration_id}` };
}
