import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../../test/harness.ts';
import { killRestorers } from '../../../../test/kill-restorations.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { insertSpoiledValues } from './test/spoiled-values.ts';
import { makeStatRestorationGame } from './test/stat-restoration-game.ts';

const PLAYERS = 4_000;

const folder = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
after(() => rm(folder, { recursive: true, force: true }));

test('servers that are killed at any moment take changes back once, and bring them back once', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: database_url }, settings);
  const { game_id, token, path } = await prepare(database_url);
  const countValues = async (value: number) => {
    const row = await database.queryOne<{ values: number }>(sql`
      SELECT count(*) AS values
      FROM player_stats AS had
      WHERE game_id = ${game_id} AND value = ${value} AND value = (
        SELECT sum(hours.value) FROM player_stat_hours AS hours
        WHERE hours.game_id = had.game_id AND hours.environment = had.environment
          AND hours.player_id = had.player_id AND hours.key = had.key)`);
    return row!.values;
  };
  const restoration = {
    folder,
    database_url,
    database,
    game_id,
    token,
    path,
    table: 'stat_restorations',
    items: PLAYERS,
    countChanged: (column: string) => countValues(column === 'restored_count' ? 1 : 11),
  };
  await killRestorers(restoration, async (state) => {
    assert.equal(await countValues(state === 'done' ? 1 : 11), PLAYERS);
  });
  await database.close();
  await drop();
});

/** Makes a game whose changes are counted, in a server that then ends. */
async function prepare(database_url: string) {
  await using server = await startTestServer({ database_url, groups: 1 });
  const { game_id, token, count } = await makeStatRestorationGame(server);
  await insertSpoiledValues(server.database, game_id, PLAYERS);
  const { restoration_id, value_count } = await count();
  assert.equal(value_count, PLAYERS);
  // It begins only with the servers that are killed.
  await server.database.execute(sql`
    UPDATE stat_restorations SET state = 'paused', started_at = now(), out_of_bounds = 'skip'
    WHERE game_id = ${game_id}`);
  return { game_id, token, path: `/v1/games/${game_id}/stat-restorations/${restoration_id}` };
}
