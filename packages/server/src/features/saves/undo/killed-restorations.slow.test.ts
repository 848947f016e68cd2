import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase, startTestServer } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import { startVictim } from '../../../../test/run-cli.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeRestorationGame } from './test/restoration-game.ts';

const PLAYERS = 4_000;
const KILLS = 5;

const folder = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
after(() => rm(folder, { recursive: true, force: true }));

test('servers that are killed at any moment restore each save once, and take each back once', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: database_url }, settings);
  const prepared = await prepare(database_url);
  const { game_id, restoration_id } = prepared;

  /** Starts servers and kills each of them while the state of saves changes to this one. */
  const killServers = async (column: 'restored_count' | 'undone_count') => {
    const countDone = async () => {
      const row = await database.queryOne<Record<string, number>>(sql`
        SELECT restored_count, undone_count FROM save_restorations
        WHERE game_id = ${game_id} AND restoration_id = ${restoration_id}`);
      return row![column]!;
    };
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const before = await countDone();
      const { victim } = await startVictim({
        DATABASE_URL: database_url,
        DATA_DIR: await mkdtemp(join(folder, 'data-')),
        PORT: '0',
        WORKERS: '1',
      });
      // The time of the server that was killed before is over.
      await database.execute(sql`
        UPDATE save_restorations SET next_step_at = now() WHERE game_id = ${game_id}`);
      await waitUntil('it works', async () => (await countDone()) > before);
      await sleep(200 * Math.random());
      victim.child.kill('SIGKILL');
      await victim.done;
      const done = await countDone();
      if (done < PLAYERS) interrupted++;
      const changed = await database.queryOne<{ saves: number }>(sql`
        SELECT count(*) AS saves FROM saves
        WHERE game_id = ${game_id} AND version = ${column === 'restored_count' ? 3 : 4}`);
      assert.equal(changed!.saves, done, 'the progress tells the saves that are changed');
    }
    assert.ok(interrupted > 0, 'no kill came in the middle');
  };
  const finish = async (state: string) => {
    await using server = await startTestServer({ database_url, groups: 1 });
    await server.database.execute(sql`
      UPDATE save_restorations SET next_step_at = now() WHERE game_id = ${game_id}`);
    await waitUntil(`it is ${state}`, async () => {
      const path = `/v1/games/${game_id}/save-restorations/${restoration_id}`;
      const { body } = await server.request('GET', path, { token: prepared.token });
      return body.state === state;
    });
    if (state === 'done') await setState('undoing');
  };
  const setState = (state: string) =>
    database.execute(sql`
      UPDATE save_restorations
      SET state = ${state}, next_step_at = now() + interval '1 hour',
          undo_begun_at = CASE WHEN ${state}::text = 'undoing' THEN now() END
      WHERE game_id = ${game_id}`);
  const listSaves = () =>
    database.query<{ version: number; data: string; saves: number }>(sql`
      SELECT version, data, count(*) AS saves
      FROM saves JOIN save_versions USING (game_id, environment, player_id, slot, version)
      WHERE game_id = ${game_id} GROUP BY version, data`);

  await setState('running');
  await killServers('restored_count');
  await finish('done');
  assert.deepEqual(await listSaves(), [{ version: 3, data: '{"coins":100}', saves: PLAYERS }]);
  await killServers('undone_count');
  await finish('undone');
  assert.deepEqual(await listSaves(), [{ version: 4, data: '{"coins":10}', saves: PLAYERS }]);
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
  const counted = await count({ app_versions: ['1.5.0'] });
  assert.equal(counted.save_count, PLAYERS);
  const { restoration_id } = counted;
  // It begins only with the servers that are killed.
  await server.database.execute(sql`
    UPDATE save_restorations SET state = 'paused', started_at = now(), played_on = 'skip'
    WHERE game_id = ${game_id}`);
  return { game_id, token, restoration_id };
}
