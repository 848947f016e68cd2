import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStatStudio } from './test/stat-studio.ts';
import type { StatStudio } from './test/stat-studio.ts';

let server: TestServer;
let studio: StatStudio;
let server_key: string;
before(async () => {
  server = await startTestServer();
  studio = await makeStatStudio(server, {
    wins: 'sum',
    level: 'max',
    lap: 'min',
    mood: 'latest',
    coins: { minimum: 0 },
  });
  server_key = await server.makeKey(studio.game_id, 'production', 'server');
});
after(() => server.close());

const merge = (player_id: string, from_player_id: string) =>
  server.request('POST', `/v1/players/${player_id}/merge`, {
    key: server_key,
    body: { from_player_id },
  });

test('a merge joins the values and the hours of both players by the aggregation', async () => {
  await studio.change('stays', { wins: 3, level: 4, lap: 20, mood: 1 });
  await studio.makeOlder(5, 'stays');
  await studio.change('stays', { wins: 1 });
  await studio.change('ends', { wins: 10, level: 2, lap: 10, mood: 7, coins: 5 });
  await studio.makeOlder(5, 'ends');
  await studio.change('ends', { wins: 100, mood: 8 });
  assert.equal((await merge('stays', 'ends')).status, 200);
  assert.deepEqual(await studio.valuesOf('stays'), {
    wins: 114,
    level: 4,
    lap: 10,
    mood: 8,
    coins: 5,
  });
  assert.deepEqual(await studio.valuesOf('ends'), {});
  const wins = (await studio.listHours('stays')).filter(({ key }) => key === 'wins');
  assert.deepEqual(
    wins.map(({ value }) => value),
    [13, 101],
  );
});

test('an export has the values with their hours, and an erasure deletes both', async () => {
  const path = `/players/gone`;
  await studio.change('gone', { wins: 3 });
  await studio.makeOlder(1, 'gone');
  await studio.change('gone', { wins: 4 });
  const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
  const call = (method: string, more = '') =>
    server.request(method, `/v1/games/${studio.game_id}${path}${more}`, { token });
  const { body } = await call('GET', '/export');
  assert.equal(body.stats.length, 1);
  const [{ key, value, hours }] = body.stats;
  assert.deepEqual([key, value], ['wins', 7]);
  assert.deepEqual(
    hours.map((hour: { value: number }) => hour.value),
    [3, 4],
  );
  assert.equal((await call('DELETE')).status, 204);
  assert.deepEqual(await studio.listHours('gone'), []);
  assert.deepEqual(await studio.valuesOf('gone'), {});
});

test('staff see the statistics of a player with the hours', async () => {
  await studio.change('seen', { wins: 3 });
  await studio.makeOlder(1, 'seen');
  await studio.change('seen', { wins: 4 });
  const listed = await studio.steer('GET', '/players/seen/stats');
  assert.deepEqual(
    listed.body.stats.map(({ key, value }: { key: string; value: number }) => [key, value]),
    [
      ['coins', null],
      ['lap', null],
      ['level', null],
      ['mood', null],
      ['wins', 7],
    ],
  );
  const { body } = await studio.steer('GET', '/players/seen/stats/wins');
  assert.deepEqual([body.value, body.base, body.hours.length], [7, null, 2]);
  assert.match(body.hours[0].hour, /:00:00\.000Z$/);
  assert.equal((await studio.steer('GET', '/players/seen/stats/none')).status, 404);
  assert.equal((await studio.steer('GET', '/players/nobody/stats')).status, 404);
  assert.equal((await studio.steer('GET', '/players/nobody/stats/wins')).status, 404);
});

test('staff set a value with a reason, which the audit log and the story have', async () => {
  await studio.change('set', { wins: 3, level: 9, lap: 5, mood: 2 });
  await studio.makeOlder(3, 'set');
  await studio.change('set', { wins: 3, level: 7 });
  const set = (key: string, body: object) => studio.steer('PUT', `/players/set/stats/${key}`, body);
  const reason = 'Lost in a crash';
  for (const [key, value] of Object.entries({ wins: 1.5, level: 8, lap: 6, mood: 4, coins: 2 })) {
    const { status, text, body } = await set(key, { value, reason });
    assert.equal(status, 200, text);
    assert.equal(body.value, value);
  }
  assert.deepEqual(await studio.valuesOf('set'), {
    wins: 1.5,
    level: 8,
    lap: 6,
    mood: 4,
    coins: 2,
  });
  assert.deepEqual(
    (await studio.listHours('set')).map(({ key, value }) => `${key} ${value}`),
    ['coins 2', 'lap 6', 'lap 6', 'level 8', 'level 8', 'mood 2', 'mood 4', 'wins 3', 'wins -1.5'],
  );
  const entries = await server.database.query<{ details: object }>(sql`
    SELECT details FROM audit_log
    WHERE game_id = ${studio.game_id} AND action = 'set_player_stat' AND target = 'wins'`);
  assert.deepEqual(
    entries.map(({ details }) => details),
    [{ environment: 'production', player_id: 'set', reason }],
  );
  const story = await studio.steer('GET', '/players/set/story');
  assert.match(story.text, /set_player_stat/);
});

test('a value that is set is exact, and inside the bounds', async () => {
  const set = (value: number) =>
    studio.steer('PUT', '/players/exact/stats/tokens', { value, reason: 'Lost' });
  await studio.steer('POST', '/stats', { key: 'tokens', name: 'Tokens' });
  await studio.change('exact', { tokens: Number.MAX_SAFE_INTEGER - 1 });
  await studio.change('exact', { tokens: 0.000_001 });
  assert.equal((await set(5)).body.value, 5);
  await studio.change('exact', { tokens: 500 });
  await studio.steer('PATCH', '/stats/tokens', { maximum: 50 });
  const { status, body } = await set(100);
  assert.equal(status, 400);
  assert.equal(body.error, 'value: tokens must be at most 50, and would be 100');
  assert.equal((await studio.valuesOf('exact')).tokens, 505);
});

test('a value is not set for nobody, past a bound, without a reason or of an archived statistic', async () => {
  await studio.change('kept', { coins: 3 });
  const set = (path: string, body: object) => studio.steer('PUT', `/players/${path}`, body);
  const reason = 'Because';
  const refusals = [
    [await set('nobody/stats/coins', { value: 1, reason }), 404],
    [await set('kept/stats/none', { value: 1, reason }), 404],
    [await set('kept/stats/coins', { value: -1, reason }), 400],
    [await set('kept/stats/coins', { value: 1 }), 400],
    [await set('kept/stats/coins', { value: 1, reason: '' }), 400],
    [await set('kept/stats/coins', { value: 0.000_000_1, reason }), 400],
    [await set('kept/stats/coins', { value: 2 ** 53, reason }), 400],
  ] as const;
  for (const [{ status, text }, expected] of refusals) assert.equal(status, expected, text);
  assert.equal(refusals[2][0].body.error, 'value: coins must be at least 0, and would be -1');
  await studio.steer('POST', '/stats', { key: 'shut', name: 'Shut' });
  await studio.steer('PATCH', '/stats/shut', { archived: true });
  assert.equal((await set('kept/stats/shut', { value: 1, reason })).status, 409);
  assert.deepEqual(await studio.valuesOf('kept'), { coins: 3 });
});
