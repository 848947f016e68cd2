import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';

const env = { RATE_LIMIT_PER_MINUTE: '20' };

let server: TestServer;
/** A server with the default ceiling. */
let second: TestServer;
before(async () => {
  server = await startTestServer({ env: { ...env, RATE_LIMIT_CEILING: '1200' } });
  second = await startTestServer({ env, database_url: server.database_url });
});
after(async () => {
  await second.close();
  await server.close();
});

async function openStudio() {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id, is_administrator: true });
  return {
    ...game,
    setLimits: (body: unknown, node = server) =>
      node.request('PUT', `/v1/admin/games/${game_id}/limits`, { token, body }),
    limitOf: async (node = server, by = key) => {
      const { headers } = await node.request('GET', '/v1/achievements', { key: by });
      return Number(headers.get('x-ratelimit-limit'));
    },
    shownLimit: async () => {
      const { body } = await server.request('GET', `/v1/games/${game_id}/shares`, { token });
      return body.key_requests_per_minute;
    },
  };
}

test('an administrator raises the requests per minute of all keys of one game, up to the ceiling of each server', async () => {
  const { setLimits, limitOf, shownLimit, development_key } = await openStudio();
  assert.deepEqual([await limitOf(), await limitOf(second), await shownLimit()], [20, 20, 20]);
  const raised = await setLimits({ key_requests_per_minute: 1_100, unknown: 1 });
  assert.equal(raised.status, 200, raised.text);
  assert.deepEqual(raised.body.limit_overrides, { key_requests_per_minute: 1_100 });
  assert.deepEqual([await limitOf(), await shownLimit()], [1_100, 1_100]);
  assert.equal(await limitOf(server, development_key), 1_100);
  await waitUntil('the second server allows as many as its ceiling', async () => {
    return (await limitOf(second)) === 1_000;
  });
  const other = await openStudio();
  assert.equal(await other.limitOf(), 20);
  await setLimits({});
  assert.deepEqual([await limitOf(), await shownLimit()], [20, 20]);
});

test('a limit that is past the ceiling or of the wrong type is refused with a 400 that names it, and changes nothing', async () => {
  const { setLimits, limitOf } = await openStudio();
  const cases: [unknown, string][] = [
    [
      1_201,
      'key_requests_per_minute must be at most 1200: the RATE_LIMIT_CEILING of this installation allows no more',
    ],
    [999, 'key_requests_per_minute must be at least 1000'],
    ['1100', 'key_requests_per_minute must be a whole number'],
    [1_100.5, 'key_requests_per_minute must be a whole number'],
    [1e300, 'key_requests_per_minute must be at most 1000000000'],
  ];
  for (const [key_requests_per_minute, error] of cases) {
    const { status, body } = await setLimits({ key_requests_per_minute });
    assert.deepEqual([status, body], [400, { error }]);
  }
  assert.equal((await setLimits({ key_requests_per_minute: 1_100 }, second)).status, 400);
  assert.equal(await limitOf(), 20);
});

test('a key has exactly the raised number of requests, and the count of its requests goes on when the limit is raised', async () => {
  const { setLimits, production_key: key } = await openStudio();
  const send = async () => (await server.request('GET', '/v1/achievements', { key })).status;
  const sendMany = (count: number) => Promise.all(Array.from({ length: count }, send));
  const before_raise = await sendMany(40);
  assert.equal(before_raise.filter((status) => status === 200).length, 20);
  await setLimits({ key_requests_per_minute: 1_000 });
  const after_raise = await sendMany(1_000);
  assert.equal(after_raise.filter((status) => status === 200).length, 1_000 - 40);
});
