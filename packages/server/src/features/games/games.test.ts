import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const createGame = (token: string, body: unknown) =>
  server.request('POST', '/v1/games', { token, body });

/** Lists all games that an account sees, page by page. */
async function listGames(token: string, limit: number) {
  const games: { id: string; role: string }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await server.request('GET', `/v1/games?${query}`, { token });
    assert.equal(status, 200);
    games.push(...body.games);
    cursor = body.next_cursor;
  }
  return games;
}

test('POST /v1/games answers 201 with the new game, which is on the Free tier and owned by the caller', async () => {
  const { token, account_id } = await server.makeAccount();
  const { status, body } = await createGame(token, { name: 'Sky Harbour' });
  assert.equal(status, 201);
  const { id, created_at, ...rest } = body;
  assert.equal(Object.keys(body)[0], 'id');
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    name: 'Sky Harbour',
    time_zone: 'UTC',
    time_zone_change: null,
    tier: 'free',
    event_quota: 100_000,
    event_validation: 'off',
    development_event_validation: 'off',
    player_name_property: null,
    forked_from: null,
    advanced_days: 0,
    role: 'owner',
  });
  const members = await server.request('GET', `/v1/games/${id}/members`, { token });
  assert.deepEqual(
    members.body.members.map((member: { account_id: string; role: string }) => [
      member.account_id,
      member.role,
    ]),
    [[account_id, 'owner']],
  );
  const keys = await server.request('GET', `/v1/games/${id}/api-keys`, { token });
  assert.deepEqual(keys.body, { api_keys: [], next_cursor: null });
});

test('the request that makes a game may set `player_name_property`, the property with the names of players', async () => {
  const { token } = await server.makeAccount();
  const named = { name: 'Named', player_name_property: 'nick' };
  const { status, body } = await createGame(token, named);
  assert.deepEqual([status, body.player_name_property], [201, 'nick']);
  const log = await server.request('GET', `/v1/games/${body.id}/audit-log`, { token });
  assert.deepEqual(log.body.audit_log[0].details, {
    time_zone: 'UTC',
    player_name_property: 'nick',
  });
  const refused = await createGame(token, { ...named, player_name_property: '' });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error, 'player_name_property must not be empty');
});

test('GET /v1/games lists the games of the account in pages, with its role in each', async () => {
  const { token } = await server.makeAccount();
  const ids: string[] = [];
  for (let number = 0; number < 5; number++) {
    ids.push((await createGame(token, { name: `Game ${number}` })).body.id);
  }
  const other = await server.makeGame();
  const viewer = await server.makeAccount({ game_id: other.game_id, role: 'viewer' });
  assert.deepEqual(
    (await listGames(token, 2)).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    (await listGames(viewer.token, 2)).map(({ id, role }) => [id, role]),
    [[other.game_id, 'viewer']],
  );
});

test('a cursor that does not come from the list answers 400', async () => {
  const { token } = await server.makeAccount();
  for (const cursor of [
    'nonsense',
    Buffer.from('["2026-01-01 00:00:00+00","x"]').toString('base64url'),
    Buffer.from(`["yesterday","${NOBODY}"]`).toString('base64url'),
    Buffer.from('{}').toString('base64url'),
  ]) {
    const { status, body } = await server.request('GET', `/v1/games?cursor=${cursor}`, { token });
    assert.equal(status, 400);
    assert.deepEqual(body, { error: 'cursor is not valid' });
  }
});

test('an administrator of the installation sees every game as its owner', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ is_administrator: true });
  const seen = await listGames(token, 200);
  assert.ok(seen.some(({ id, role }) => id === game_id && role === 'owner'));
  const game = await server.request('GET', `/v1/games/${game_id}`, { token });
  assert.equal(game.body.role, 'owner');
});

test('an unknown game answers 404, and any game answers 404 to an account that is not a member', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount();
  for (const id of [game_id, NOBODY, 'not-a-uuid']) {
    for (const method of ['GET', 'DELETE']) {
      const answer = await server.request(method, `/v1/games/${id}`, { token });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.body, { error: 'Game not found' });
    }
  }
});

test('a developer may set event_validation, an admin also the name, and a viewer neither', async () => {
  const { game_id } = await server.makeGame();
  const as = async (role: 'viewer' | 'developer' | 'admin', body: unknown) => {
    const { token } = await server.makeAccount({ game_id, role });
    return server.request('PATCH', `/v1/games/${game_id}`, { token, body });
  };
  assert.equal((await as('viewer', { event_validation: 'warn' })).status, 403);
  const validated = await as('developer', { event_validation: 'warn' });
  assert.equal(validated.status, 200);
  assert.equal(validated.body.event_validation, 'warn');
  assert.equal(validated.body.name, 'Test game');
  const refused = await as('developer', { name: 'Mine', event_validation: 'off' });
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.body, {
    error: 'This needs the role admin; yours in this game is developer',
  });
  const renamed = await as('admin', { name: 'Ours' });
  assert.deepEqual([renamed.body.name, renamed.body.event_validation], ['Ours', 'warn']);
});

/**
 * Makes a game whose schema requires that each purchase has an `item`. Validation is off at first, so the
 * schema has no effect yet.
 */
async function makeShop() {
  const { game_id, ...keys } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const change = (body: object, method = 'PATCH', rest = '') =>
    server.request(method, `/v1/games/${game_id}${rest}`, { token, body });
  const schema = { type: 'object', required: ['item'] };
  await change({ schema }, 'PUT', '/event-schemas/purchase');
  /** Sends a purchase without an item. @returns the status of the answer. */
  const track = async (key: string, node = server) => {
    const body = { event_name: 'purchase', session_id: 's1' };
    return (await node.request('POST', '/v1/track', { key, body })).status;
  };
  return { ...keys, change, track };
}

test('a change of event_validation takes effect at once on the server of the request, and on other servers after a notification', async () => {
  await using secondNode = await startTestServer({ database_url: server.database_url });
  const { production_key: key, change, track } = await makeShop();
  assert.deepEqual([await track(key), await track(key, secondNode)], [202, 202]);
  await change({ event_validation: 'reject' });
  assert.equal(await track(key), 400);
  await waitUntil(
    'the other server rejects it',
    async () => (await track(key, secondNode)) === 400,
  );
});

test('each environment has its own event_validation, and one request may change one or both', async () => {
  const { production_key, development_key, change, track } = await makeShop();
  /**
   * Changes the game.
   * @returns both settings, and the statuses of a purchase in production and development.
   */
  const set = async (body: object) => {
    const { event_validation, development_event_validation } = (await change(body)).body;
    const statuses = await Promise.all([production_key, development_key].map((key) => track(key)));
    return [event_validation, development_event_validation, ...statuses];
  };
  const rejected = { development_event_validation: 'reject' };
  const rejectedLive = { production_event_validation: 'reject' };
  assert.deepEqual(await set(rejectedLive), ['reject', 'off', 400, 202]);
  assert.deepEqual(await set({ event_validation: 'off' }), ['off', 'off', 202, 202]);
  assert.deepEqual(await set(rejected), ['off', 'reject', 202, 400]);
  assert.deepEqual(await set(rejectedLive), ['reject', 'reject', 400, 400]);
  assert.deepEqual(await set({ event_validation: 'warn' }), ['warn', 'warn', 202, 202]);
  const both = { event_validation: 'reject', development_event_validation: 'off' };
  assert.deepEqual(await set(both), ['reject', 'off', 400, 202]);
});

test('PATCH with nothing to change, an empty name or an unknown mode answers 400', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  for (const [body, error] of [
    [{}, 'The request body must not be empty'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'n'.repeat(256) }, 'name must have at most 255 characters'],
    [{ event_validation: 'on' }, 'event_validation must be one of off, warn, reject'],
    [
      { event_validation: 'off', production_event_validation: 'warn' },
      'event_validation must be left out beside production_event_validation',
    ],
  ]) {
    const answer = await server.request('PATCH', `/v1/games/${game_id}`, { token, body });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, { error });
  }
});

test('the audit log lists the creation and each change of a game', async () => {
  const { token, account_id, email } = await server.makeAccount();
  const { id } = (await createGame(token, { name: 'Logged', time_zone: 'UTC' })).body;
  await server.request('PATCH', `/v1/games/${id}`, { token, body: { event_validation: 'reject' } });
  const { body } = await server.request('GET', `/v1/games/${id}/audit-log`, { token });
  assert.deepEqual(
    body.audit_log.map((entry: Record<string, unknown>) => [
      entry.action,
      entry.target,
      entry.details,
      entry.account_id,
      entry.account_email,
      entry.ip,
    ]),
    [
      ['update_game', 'Logged', { event_validation: 'reject' }, account_id, email, '127.0.0.1'],
      ['create_game', 'Logged', { time_zone: 'UTC' }, account_id, email, '127.0.0.1'],
    ],
  );
});
