import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';

const nodes = useTwoServers({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
let server: TestServer;
before(() => {
  [server] = nodes;
});

const NONE = {
  player_requests_per_minute: null,
  network_requests_per_minute: null,
  player_events_per_minute: null,
  monthly_events_percent: null,
};

async function openStudio() {
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}/shares`;
  return {
    ...game,
    token,
    patch: (body: unknown, { by = token, environment = 'production' } = {}) =>
      server.request('PATCH', `${path}?environment=${environment}`, { token: by, body }),
    async read(environment = 'production') {
      const answer = await server.request('GET', `${path}?environment=${environment}`, { token });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },
  };
}

const sharesOf = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(NONE).map((name) => [name, body[name]]));

test('a change keeps other shares, applies only to its environment, and is audited', async () => {
  const { patch, read, game_id } = await openStudio();
  assert.deepEqual(sharesOf(await read()), NONE);
  const first = { player_requests_per_minute: 60, player_events_per_minute: 100 };
  const changed = await patch({ ...first });
  assert.equal(changed.status, 200);
  assert.deepEqual(sharesOf(changed.body), { ...NONE, ...first });
  const second = { player_requests_per_minute: null, network_requests_per_minute: 1_000_000 };
  await patch({ ...second, unknown: 7 });
  const after = { ...NONE, ...first, ...second };
  assert.deepEqual(sharesOf(await read()), after);
  assert.deepEqual(sharesOf(await read('development')), NONE);
  await patch({ ...NONE });
  assert.deepEqual(sharesOf(await read()), NONE);
  const log = await server.database.query<{ target: string; details: object }>(sql`
    SELECT target, details FROM audit_log
    WHERE game_id = ${game_id} AND action = 'update_shares' ORDER BY id`);
  const environment = 'production';
  assert.deepEqual(log, [
    { target: environment, details: { environment, from: NONE, to: { ...NONE, ...first } } },
    { target: environment, details: { environment, from: { ...NONE, ...first }, to: after } },
    { target: environment, details: { environment, from: after, to: NONE } },
  ]);
});

test('a share of a wrong type or size is answered 400 with its name, and nothing changes', async () => {
  const { patch, read } = await openStudio();
  const cases: [Record<string, unknown>, string][] = [
    [{ player_requests_per_minute: '60' }, 'player_requests_per_minute must be a whole number'],
    [{ player_requests_per_minute: 60.5 }, 'player_requests_per_minute must be a whole number'],
    [{ player_requests_per_minute: [60] }, 'player_requests_per_minute must be a whole number'],
    [{ player_requests_per_minute: 9 }, 'player_requests_per_minute must be at least 10'],
    [{ player_requests_per_minute: -1 }, 'player_requests_per_minute must be at least 10'],
    [{ network_requests_per_minute: 0 }, 'network_requests_per_minute must be at least 10'],
    [
      { network_requests_per_minute: 1e6 + 1 },
      'network_requests_per_minute must be at most 1000000',
    ],
    [{ player_events_per_minute: 99 }, 'player_events_per_minute must be at least 100'],
    [{ monthly_events_percent: 0 }, 'monthly_events_percent must be at least 1'],
    [{ monthly_events_percent: 101 }, 'monthly_events_percent must be at most 100'],
    [{ player_events_per_minute: true }, 'player_events_per_minute must be a whole number'],
  ];
  for (const [wrong, error] of cases) {
    const right = { network_requests_per_minute: 500 };
    const { status, body } = await patch({ ...right, ...wrong });
    assert.deepEqual([status, body], [400, { error }]);
  }
  const { status, body } = await patch('{"player_requests_per_minute":1e999}');
  assert.equal(status, 400, JSON.stringify(body));
  assert.equal((await patch({})).body.error, 'The request body must not be empty');
  assert.deepEqual(sharesOf(await read()), NONE);
});

test('concurrent changes of different shares are all kept', async () => {
  const { patch, read } = await openStudio();
  const wanted = {
    player_requests_per_minute: 60,
    network_requests_per_minute: 600,
    player_events_per_minute: 900,
    monthly_events_percent: 80,
  };
  await Promise.all(Object.entries(wanted).map(([name, share]) => patch({ [name]: share })));
  assert.deepEqual(sharesOf(await read()), wanted);
});

test('a developer may change only the shares of development', async () => {
  const { patch, game_id } = await openStudio();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const share = { player_requests_per_minute: 60 };
  assert.equal((await patch(share, { by: token, environment: 'development' })).status, 200);
  assert.equal((await patch(share, { by: token })).status, 403);
});

test('every server applies a change of the shares', async () => {
  const { patch, production_key: key } = await openStudio();
  const load = (node: TestServer) => node.request('GET', '/v1/saves?player_id=ann', { key });
  for (const node of nodes) assert.equal((await load(node)).status, 404);
  await patch({ player_requests_per_minute: 10 });
  for (const node of nodes) {
    await waitUntil('the server refuses the player', async () => (await load(node)).status === 429);
  }
});

test('a game without traffic gets suggestions that suit most games', async () => {
  const { read } = await openStudio();
  const { suggested, traffic, key_requests_per_minute } = await read();
  assert.equal(key_requests_per_minute, 1_000);
  assert.deepEqual(suggested, {
    player_requests_per_minute: 120,
    network_requests_per_minute: 500,
    player_events_per_minute: 600,
    monthly_events_percent: null,
  });
  const development = await read('development');
  assert.equal(development.suggested.monthly_events_percent, 20);
  assert.deepEqual(development.month, { used: 0, quota: 100_000 });
  assert.deepEqual(traffic, {
    counted_since: null,
    event_count: 0,
    player_count: 0,
    busy_minute_events: null,
    busy_minute_requests: null,
  });
});

test('suggested shares are ten times the traffic of busy minutes, as seen in the newest events', async () => {
  const { read, production_key: key, game_id } = await openStudio();
  const track = (player_id: string | undefined, count: number) =>
    server.request('POST', '/v1/track', {
      key,
      body: Array.from({ length: count }, () => ({ event_name: 'e', session_id: 's', player_id })),
    });
  await track('ann', 80);
  await track('ben', 20);
  await track(undefined, 100);
  await waitForIngest(server.database, game_id);
  await server.database.execute(sql`
    INSERT INTO player_call_counts VALUES (${game_id}, 'production', now(), 30, 20)
    ON CONFLICT (game_id, environment, hour) DO UPDATE SET with_token = 30, without_token = 20`);
  const { traffic, suggested } = await read();
  const { counted_since, ...numbers } = traffic;
  assert.ok(Date.now() - Date.parse(counted_since) < 60_000);
  // Each player sent one request with events, and half of the 48 other requests.
  assert.deepEqual(numbers, {
    event_count: 100,
    player_count: 2,
    busy_minute_events: 80,
    busy_minute_requests: 25,
  });
  assert.deepEqual(suggested, {
    player_requests_per_minute: 250,
    network_requests_per_minute: 500,
    player_events_per_minute: 800,
    monthly_events_percent: null,
  });
  const { month } = await read();
  assert.equal(month.used, 200);
  assert.equal((await read('development')).month.used, 0);
});
