import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStatStudio } from './test/stat-studio.ts';
import type { StatStudio } from './test/stat-studio.ts';

let server: TestServer;
let studio: StatStudio;
before(async () => {
  server = await startTestServer();
  studio = await makeStatStudio(server, {
    wins: 'sum',
    level: 'max',
    lap: 'min',
    mood: 'latest',
    coins: { minimum: 0, maximum: 100 },
    gems: { max_change: 5 },
    speed: { aggregation: 'max', minimum: 0, maximum: 10 },
    trusted: { writes_from: 'server' },
    checked: { writes_from: 'verified' },
  });
});
after(() => server.close());

test('each change joins to the value by the aggregation, and the answer has the new values in order', async () => {
  const first = await studio.change('p1', { mood: 3, level: 4, lap: 30.5, wins: 2 });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(first.body, {
    stats: [
      { key: 'mood', value: 3 },
      { key: 'level', value: 4 },
      { key: 'lap', value: 30.5 },
      { key: 'wins', value: 2 },
    ],
    unlocked: [],
  });
  const second = await studio.change('p1', { wins: -5, level: 3, lap: 31, mood: 1 });
  const values = second.body.stats.map(({ value }: { value: number }) => value);
  assert.deepEqual(values, [-3, 4, 30.5, 1]);
  assert.deepEqual(await studio.valuesOf('p1'), { wins: -3, level: 4, lap: 30.5, mood: 1 });
  assert.equal((await studio.listHours('p1')).length, 4);
});

test('a list has all statistics by key, with null for those that the player does not have', async () => {
  await studio.change('listed', { wins: 1 });
  const { body } = await server.request('GET', '/v1/stats?player_id=listed', {
    key: studio.production_key,
  });
  const keys = body.stats.map(({ key }: { key: string }) => key);
  assert.deepEqual(keys, keys.toSorted());
  const wins = body.stats.find(({ key }: { key: string }) => key === 'wins');
  assert.match(wins.updated_at, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(
    { ...wins, updated_at: '' },
    {
      key: 'wins',
      name: 'wins',
      aggregation: 'sum',
      value: 1,
      updated_at: '',
    },
  );
  const level = body.stats.find(({ key }: { key: string }) => key === 'level');
  assert.deepEqual([level.value, level.updated_at], [null, null]);
  assert.deepEqual(await studio.valuesOf('nobody'), {});
});

test('a sum of decimals is exact', async () => {
  for (const value of [0.1, 0.2, -0.3, 0.000_001]) await studio.change('exact', { wins: value });
  assert.equal((await studio.valuesOf('exact')).wins, 0.000_001);
});

test('a large number with decimals is stored exactly when the answer says so', async () => {
  const most = 1_000_000_000_000_000.25;
  const made = await studio.steer('POST', '/stats', {
    key: 'wide',
    name: 'wide',
    aggregation: 'latest',
    maximum: most,
  });
  assert.equal(made.status, 201, made.text);
  const { status, body } = await studio.change('wide', { wide: most });
  assert.equal(status, 200);
  assert.equal(body.stats[0].value, most);
  assert.deepEqual(await studio.valuesOf('wide'), { wide: most });
});

test('environments have values of their own', async () => {
  await studio.change('apart', { wins: 1 });
  const other = await studio.change('apart', { wins: 5 }, { key: studio.development_key });
  assert.equal(other.body.stats[0].value, 5);
  assert.equal((await studio.valuesOf('apart')).wins, 1);
});

describe('a refused change changes nothing', () => {
  const refused = async (
    player_id: string,
    changes: Record<string, unknown>,
    status: number,
    error: string | RegExp,
  ) => {
    const answer = await studio.change(player_id, changes);
    assert.equal(answer.status, status, answer.text);
    if (typeof error === 'string') assert.equal(answer.body.error, error);
    else assert.match(answer.body.error, error);
    return answer.body;
  };

  test('past a bound, which the answer names', async () => {
    await studio.change('bound', { coins: 30 });
    const body = await refused(
      'bound',
      { wins: 1, coins: -50 },
      400,
      'changes[1].value: coins must be at least 0, and would be -20',
    );
    assert.deepEqual([body.code, body.key, body.value], ['STAT_OUT_OF_BOUNDS', 'coins', 30]);
    await refused('bound', { coins: 70.5 }, 400, /coins must be at most 100, and would be 100\.5/);
    await refused('bound', { speed: 11 }, 400, /speed must be at most 10/);
    await refused('bound', { speed: -1 }, 400, /speed must be at least 0/);
    assert.deepEqual(await studio.valuesOf('bound'), { coins: 30 });
    assert.equal((await studio.change('bound', { coins: -30 })).body.stats[0].value, 0);
  });

  test('past what one call may change', async () => {
    await refused('gems', { gems: 6 }, 400, /one call may change gems by at most 5/);
    await refused('gems', { gems: -6 }, 400, /at most 5/);
    assert.equal((await studio.change('gems', { gems: -5 })).status, 200);
  });

  test('past 2^53 - 1', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    assert.equal((await studio.change('large', { wins: most })).body.stats[0].value, most);
    await refused('large', { wins: 1 }, 400, /wins must be at most 9007199254740991/);
    await refused('large', { wins: 0.000_001 }, 400, /wins must be at most/);
    await refused('large', { wins: 2 ** 53 }, 400, /changes\[0\]\.value must be at most/);
    await studio.change('large', { wins: -most });
    await studio.change('large', { wins: -most });
    await refused('large', { wins: -1 }, 400, /wins must be at least -9007199254740991/);
    assert.equal((await studio.listHours('large')).length, 1);
  });

  test('of an unknown statistic, whose key the answer names', async () => {
    for (const key of ['coinz', '__proto__', 'constructor', "a' OR ''='", '💥'.repeat(100)]) {
      const body = await refused('unknown', { wins: 1, [key]: 1 }, 404, /^changes\[1\]\.key: /);
      assert.ok(body.error.includes(key.slice(0, 20)), body.error);
    }
    assert.deepEqual(await studio.valuesOf('unknown'), {});
  });

  test('by a call that may not write the statistic', async () => {
    await refused(
      'writer',
      { trusted: 1 },
      403,
      'This statistic can be written with a server key alone',
    );
    await refused('writer', { wins: 1, checked: 1 }, 403, /needs a player who has logged in/);
    assert.deepEqual(await studio.valuesOf('writer'), {});
    const key = await server.makeKey(studio.game_id, 'production', 'server');
    const trusted = await studio.change('writer', { trusted: 1, checked: 2 }, { key });
    assert.equal(trusted.status, 200, trusted.text);
  });

  test('with a body that is malformed', async () => {
    const send = (body: unknown) =>
      server.request('POST', '/v1/stats', { key: studio.production_key, body });
    const one = (value: string) =>
      `{"player_id":"bad","changes":[{"key":"wins","value":${value}}]}`;
    for (const [body, error] of [
      [{ player_id: 'bad' }, /changes is required/],
      [{ player_id: 'bad', changes: [] }, /changes must have at least 1 entry/],
      [{ player_id: 'bad', changes: { wins: 1 } }, /changes must be a list/],
      [{ player_id: 'bad', changes: [{ value: 1 }] }, /changes\[0\]\.key is required/],
      [{ player_id: 'bad', changes: [{ key: 'wins' }] }, /changes\[0\]\.value is required/],
      [{ changes: [{ key: 'wins', value: 1 }] }, /player_id is required/],
      [one('"1"'), /value must be a number/],
      [one('null'), /value must be a number/],
      [one('NaN'), /JSON/],
      [one('1e999'), /./],
      [one('1e300'), /value must be at most/],
      [one('-9007199254740992'), /value must be at least/],
      [one('0.1234567'), /changes\[0\]\.value must have at most 6 decimals/],
      [one('1e-7'), /at most 6 decimals/],
      [
        {
          player_id: 'bad',
          changes: [
            { key: 'wins', value: 1 },
            { key: 'wins', value: 1 },
          ],
        },
        /changes\[1\]\.key names wins a second time/,
      ],
      [
        {
          player_id: 'bad',
          changes: Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, value: 1 })),
        },
        /changes must have at most 100 entries/,
      ],
    ] as const) {
      const answer = await send(body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.error, error);
    }
    assert.deepEqual(await studio.valuesOf('bad'), {});
    const players = await server.database.query(sql`
      SELECT FROM players WHERE game_id = ${studio.game_id} AND player_id = 'bad'`);
    assert.equal(players.length, 0);
  });
});

test('a value outside of bounds that were set later moves towards them alone', async () => {
  await studio.steer('POST', '/stats', { key: 'later', name: 'Later' });
  await studio.change('later', { later: -10 });
  await studio.steer('PATCH', '/stats/later', { minimum: 0 });
  assert.equal((await studio.change('later', { later: -1 })).status, 400);
  assert.equal((await studio.change('later', { later: 4 })).body.stats[0].value, -6);
});

test('an archived statistic is unknown to games, and has its values again when it is restored', async () => {
  await studio.steer('POST', '/stats', { key: 'old', name: 'Old' });
  await studio.change('archive', { old: 2 });
  await studio.steer('PATCH', '/stats/old', { archived: true });
  assert.equal((await studio.change('archive', { old: 1 })).status, 404);
  assert.deepEqual(await studio.valuesOf('archive'), {});
  await studio.steer('PATCH', '/stats/old', { archived: false });
  assert.deepEqual(await studio.valuesOf('archive'), { old: 2 });
});
