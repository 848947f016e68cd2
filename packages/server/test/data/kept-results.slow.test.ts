import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { backdateStart, exposePlayers, readResults } from './experiment-players.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { pauseIngest } from '../../src/features/events/inbox/ingest.ts';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import { makeTestPartition, TEST_DAY } from '../past-day.ts';
import { insertEvents } from '../../src/features/reports/test/event-table.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';

const DAY_S = 86_400;
/** The start of a day whose results are kept (a closed day), in seconds from the start of yesterday. */
const LONG_AGO_S = -10 * DAY_S;

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
  await makeTestPartition(
    server,
    new Date(Date.parse(TEST_DAY) + LONG_AGO_S * 1_000).toISOString().slice(0, 10),
  );
});
after(() => server.close());

test('a closed day is counted anew only after a rebuild, a merge or an erasure of its players', async () => {
  const studio = await makeStudio(server);
  const { game_id } = studio;
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const change = async (method: string, path: string, body?: unknown) =>
    (await server.request(method, `/v1/games/${game_id}/players/early${path}`, { token, body }))
      .status;
  const metrics = [{ kind: 'event_count', event_name: 'buy', days: 1 }];
  const id = await studio.start({ ...HALVES, metrics });
  const players = ['early', 'twin', 'late'];
  for (const player_id of players) {
    const body = { player_id, properties: {} };
    await server.request('POST', '/v1/identify', { key: studio.production_key, body });
  }
  const exposure = { experiment_id: id, variant: 0 };
  await exposePlayers(server, studio, { ...exposure, at_s: LONG_AGO_S }, ['early', 'twin']);
  await exposePlayers(server, studio, { ...exposure, at_s: 0 }, ['late']);
  await backdateStart(server, studio, 12);
  const buy = (player_id: string, at_s: number) =>
    insertEvents(server, game_id, [{ event_name: 'buy', player_id, at_s }]);
  /** Reads the number of players in the control group, and the number of their events. */
  const read = async () => {
    const { variants, metrics: results } = await readResults(studio, id);
    const { players: count, mean } = results[0]!.variants[0]!;
    assert.equal(variants[0]!.exposed_players, count);
    return [count, count * mean!];
  };

  await buy('early', LONG_AGO_S + 5);
  await buy('twin', LONG_AGO_S + 5);
  await buy('late', 5);
  assert.deepEqual(await read(), [3, 3]);

  await buy('early', LONG_AGO_S + 6);
  await buy('late', 6);
  assert.deepEqual(await read(), [3, 4]);

  await server.database.transaction((tx) => pauseIngest(tx, game_id));
  await waitUntil('the rollups are rebuilt', async () => {
    const held = await server.database.query(sql`
      SELECT FROM event_holds WHERE game_id = ${game_id}`);
    return held.length === 0;
  });
  assert.deepEqual(await read(), [3, 5]);

  await buy('early', LONG_AGO_S + 7);
  assert.equal(await change('POST', '/merge', { from_player_id: 'twin' }), 200);
  await waitUntil('the day is counted anew', async () => {
    const [count, events] = await read();
    return count === 2 && events === 6;
  });

  assert.equal(await change('DELETE', ''), 204);
  assert.deepEqual(await read(), [1, 2]);
});

test('a day whose events were dropped keeps its results when a player is erased, and is left out if it has no results', async () => {
  const studio = await makeStudio(server);
  const { game_id } = studio;
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const metrics = [{ kind: 'event_count', event_name: 'buy', days: 1 }];
  const id = await studio.start({ ...HALVES, metrics });
  for (const player_id of ['old', 'gone']) {
    const body = { player_id, properties: {} };
    await server.request('POST', '/v1/identify', { key: studio.production_key, body });
  }
  const exposure = { experiment_id: id, variant: 0 };
  await exposePlayers(server, studio, { ...exposure, at_s: LONG_AGO_S }, ['old', 'gone']);
  await exposePlayers(server, studio, { ...exposure, at_s: 0 }, ['late']);
  await backdateStart(server, studio, 12);
  const event = { event_name: 'buy', player_id: 'old' };
  await insertEvents(server, game_id, [
    { ...event, at_s: LONG_AGO_S + 5 },
    { ...event, player_id: 'late', at_s: 5 },
  ]);
  const readControl = async () => (await readResults(studio, id)).metrics[0]!.variants[0]!;
  const { players, mean } = await readControl();
  assert.deepEqual([players, mean], [3, 2 / 3]);

  await server.database.execute(sql`
    UPDATE games SET events_kept_since = ${TEST_DAY}::timestamptz - interval '1 day'
    WHERE id = ${game_id}`);
  await server.database.execute(sql`
    DELETE FROM events WHERE game_id = ${game_id} AND player_id = 'old'`);
  const path = `/v1/games/${game_id}/players/gone`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  assert.deepEqual((await readControl()).mean, 2 / 3);

  await server.database.execute(sql`
    UPDATE games SET time_zone = 'Etc/GMT-1' WHERE id = ${game_id}`);
  const left = await readControl();
  assert.deepEqual([left.players, left.mean], [1, 1]);
});
