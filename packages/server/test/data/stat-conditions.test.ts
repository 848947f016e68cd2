import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const RANGE = 'from=2026-01-01&to=2026-01-02';
const LEVELS: Record<string, number | null> = { ann: 7.000001, bob: 7, cleo: -2, dan: null };

/** Makes a game with a statistic, which all players but one have, and the functions of the tests. */
async function makeStudio() {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const steer = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}/${path}`, { token, body });
  const made = await steer('POST', 'stats', { key: 'level', name: 'Level', aggregation: 'latest' });
  assert.equal(made.status, 201, made.text);
  for (const [player_id, value] of Object.entries(LEVELS)) {
    const identify = { player_id, properties: { team: player_id === 'bob' ? 'red' : 'blue' } };
    await server.request('POST', '/v1/identify', { key, body: identify });
    if (value === null) continue;
    const changes = [{ key: 'level', value }];
    const { status } = await server.request('POST', '/v1/stats', {
      key,
      body: { player_id, changes },
    });
    assert.equal(status, 200);
  }
  const idsAt = async (path: string): Promise<string> => {
    const { status, body, text } = await steer('GET', path);
    assert.equal(status, 200, text);
    const ids = body.players.map(({ player_id }: { player_id: string }) => player_id);
    return ids.toSorted().join(' ');
  };
  const filterOf = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
  return {
    steer,
    find: (...filter: unknown[]) => idsAt(`players?${filterOf(filter)}`),
    segment: (query: string) => idsAt(`analytics/segment?${RANGE}&${query}`),
    refused: async (filter: unknown) => {
      const { status, body } = await steer('GET', `players?${filterOf([filter])}`);
      assert.equal(status, 400);
      return body.error as string;
    },
    filterOf,
    deleteStat: () => steer('DELETE', 'stats/level'),
  };
}

const level = (operator: string, value?: number) => ({ stat: 'level', operator, value });

test('players are found by their statistics, exactly, and beside conditions on properties', async () => {
  const { find } = await makeStudio();
  assert.equal(await find(level('gt', 7)), 'ann');
  assert.equal(await find(level('gte', 7)), 'ann bob');
  assert.equal(await find(level('eq', 7.000001)), 'ann');
  assert.equal(await find(level('ne', 7)), 'ann cleo dan');
  assert.equal(await find(level('lt', 0)), 'cleo');
  assert.equal(await find(level('exists')), 'ann bob cleo');
  assert.equal(await find(level('not_exists')), 'dan');
  const blue = { property: 'team', operator: 'eq', value: 'blue' };
  assert.equal(await find(blue, level('lte', 7.5)), 'ann cleo');
});

test('a wrong condition on a statistic is refused by its name', async () => {
  const { refused } = await makeStudio();
  const found = [
    { stat: 'levle', operator: 'exists' },
    level('contains', 1),
    level('gte'),
    { ...level('exists'), value: 1 },
    { ...level('gt'), value: '7' },
    { ...level('gt', 1), property: 'team' },
    level('gt', 2 ** 53),
    { operator: 'gt', value: 1 },
  ];
  const errors = [];
  for (const filter of found) errors.push(await refused(filter));
  assert.deepEqual(errors, [
    'filter[0].stat: the game has no statistic "levle"',
    'filter[0].operator must be one of eq, ne, gt, gte, lt, lte, exists, not_exists',
    'filter[0].value is required',
    'filter[0].value is not allowed with exists',
    'filter[0].value must be a number',
    'filter[0].property is not allowed',
    'filter[0].value must be at most 9007199254740991',
    'filter[0].property is required',
  ]);
});

test('segments and the players of reports can ask for statistics', async () => {
  const { steer, segment, filterOf } = await makeStudio();
  const query = filterOf([level('gte', 7)]);
  assert.equal(await segment(query), 'ann bob');
  assert.equal((await steer('PUT', 'saved-reports/segment/High', { query })).status, 200);
  const players = (given: object) => `players=${encodeURIComponent(JSON.stringify(given))}`;
  assert.equal(await segment(players({ segment: 'High' })), 'ann bob');
  assert.equal(await segment(players({ properties: [level('lt', 7)] })), 'cleo');
  const unknown = filterOf([{ stat: 'x', operator: 'exists' }]);
  const refused = await steer('PUT', 'saved-reports/segment/Unknown', { query: unknown });
  assert.deepEqual(
    [refused.status, refused.body.error],
    [400, 'query: the game has no statistic "x"'],
  );
  const read = await steer('GET', `analytics/segment?${RANGE}&${unknown}`);
  assert.deepEqual(
    [read.status, read.body.error],
    [400, 'filter[0].stat: the game has no statistic "x"'],
  );
});

test('a statistic that a segment uses is not deleted, and the refusal names the segment', async () => {
  const { steer, filterOf, deleteStat } = await makeStudio();
  const query = filterOf([level('gte', 7)]);
  await steer('PUT', 'saved-reports/segment/High', { query });
  const refused = await deleteStat();
  assert.equal(refused.status, 409);
  assert.equal(
    refused.body.error,
    'The statistic "level" is used by the saved segment "High": take it out of them first, or archive it',
  );
  assert.deepEqual(refused.body.used_by, ['the saved segment "High"']);
  await steer('DELETE', 'saved-reports/segment/High');
  assert.equal((await deleteStat()).body.result, 'archived');
});

test('a deletion of players follows conditions on statistics', async () => {
  const { steer, filterOf, find } = await makeStudio();
  const begun = await steer('POST', `player-deletion?${filterOf([level('lt', 0)])}`, {
    player_count: 1,
  });
  assert.equal(begun.status, 201, begun.text);
  await waitUntil('the player is deleted', async () => (await find(level('lt', 0))) === '');
  assert.equal(await find(), 'ann bob dan');
});
