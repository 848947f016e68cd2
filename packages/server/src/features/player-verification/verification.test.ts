import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import type { TestServer } from '../../../test/harness.ts';
import { makePlayerToken } from '../../../test/player-token.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';

const nodes = useTwoServers();
let server: TestServer;
let secondNode: TestServer;
before(() => {
  [server, secondNode] = nodes;
});

const pathOf = (game_id: string) => `/v1/games/${game_id}/player-verification`;

async function openStudio() {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id });
  return {
    ...game,
    token,
    async set(verification: string, environment = 'production') {
      const options = { token, body: { verification } };
      const path = `${pathOf(game_id)}?environment=${environment}`;
      const { status, body } = await server.request('PATCH', path, options);
      assert.equal(status, 200);
      assert.equal(body.verification, verification);
    },
    read: async (environment = 'production') =>
      (await server.request('GET', `${pathOf(game_id)}?environment=${environment}`, { token }))
        .body,
    claim: (player_id: string) =>
      server.database.execute(sql`
        INSERT INTO player_identities (game_id, environment, provider, subject, player_id)
        VALUES (${game_id}, 'production', 'device', ${`device of ${player_id}`}, ${player_id})`),
    /**
     * Loads the save of a player who has none, so an allowed call is answered 404. @returns `may` if the call
     * was allowed, otherwise the error.
     */
    async load(player_id: string, { node = server, headers = {} } = {}) {
      const path = `/v1/saves?player_id=${encodeURIComponent(player_id)}`;
      const { status, body } = await node.request('GET', path, { key, headers });
      return status === 404 ? 'may' : (body.error as string);
    },
    async tokenOf(player_id: string) {
      const player = { game_id, environment: 'production', player_id } as const;
      return { 'x-player-token': await makePlayerToken(server, player) };
    },
  };
}

const CLAIMED = 'This player has logged in: send x-player-token';
const MISSING = 'Missing x-player-token header';

test('a change of the setting applies on every server, and only to its environment', async () => {
  const { set, load, game_id, development_key } = await openStudio();
  for (const node of nodes) assert.equal(await load('ann', { node }), 'may');
  await set('required');
  assert.equal(await load('ann'), MISSING);
  await waitUntil('the other server requires tokens', async () => {
    return (await load('ann', { node: secondNode })) === MISSING;
  });
  const path = '/v1/saves?player_id=ann';
  const { status } = await server.request('GET', path, { key: development_key });
  assert.equal(status, 404);
  await set('off');
  await waitUntil('the other server asks for none', async () => {
    return (await load('ann', { node: secondNode })) === 'may';
  });
  const log = await server.database.query<{ target: string; details: object }>(sql`
    SELECT target, details FROM audit_log
    WHERE game_id = ${game_id} AND action = 'update_player_verification' ORDER BY id`);
  const environment = 'production';
  const off = { verification: 'off', allows_claims: true };
  const required = { ...off, verification: 'required' };
  assert.deepEqual(log, [
    { target: environment, details: { environment, from: off, to: required } },
    { target: environment, details: { environment, from: required, to: off } },
  ]);
});

test('under `claimed`, every server requires the token of a player from the first login on', async () => {
  const { set, load, claim, tokenOf } = await openStudio();
  await set('claimed');
  for (const player_id of ['ann', 'é ö/ü']) {
    for (const node of nodes) assert.equal(await load(player_id, { node }), 'may');
    await claim(player_id);
    for (const node of [secondNode, server]) {
      await waitUntil('the server knows the setting', async () => {
        return (await load(player_id, { node })) === CLAIMED;
      });
      const headers = await tokenOf(player_id);
      assert.equal(await load(player_id, { node, headers }), 'may');
    }
  }
  assert.equal(await load('somebody else'), 'may');
});

test('when the last login of a player is removed, no server requires the player token any more', async () => {
  const { set, load, game_id, token, production_key: key } = await openStudio();
  await set('claimed');
  const login = {
    provider: 'device',
    device_id: 'phone of ann',
    secret: 's'.repeat(43),
    player_id: 'ann',
  };
  const made = await server.request('POST', '/v1/players/login', { key, body: login });
  assert.equal(made.status, 201, made.text);
  for (const node of [secondNode, server]) {
    await waitUntil('the server asks for the token', async () => {
      return (await load('ann', { node })) === CLAIMED;
    });
  }
  const query = 'environment=production&provider=device&subject=phone%20of%20ann';
  const path = `/v1/games/${game_id}/players/ann/logins?${query}`;
  assert.equal((await server.request('DELETE', path, { token })).status, 204);
  for (const node of [server, secondNode]) {
    await waitUntil('the server asks for none', async () => {
      return (await load('ann', { node })) === 'may';
    });
  }
});

test('under `claimed`, the refusal of a batch names its first event of a claimed player', async () => {
  const { set, claim, production_key: key } = await openStudio();
  await set('claimed');
  await claim('cid');
  await claim('dee');
  const track = (names: (string | undefined)[]) =>
    server.request('POST', '/v1/track', {
      key,
      body: names.map((player_id) => ({ event_name: 'e', session_id: 's', player_id })),
    });
  const refused = await track(['ann', undefined, 'ben', 'cid', 'dee', 'cid']);
  assert.deepEqual([refused.status, refused.body], [401, { error: CLAIMED, index: 3 }]);
  assert.equal((await track(['ann', undefined, 'ben'])).status, 202);
});

test('the setting is shown with numbers of players, claimed players, and calls of the last day', async () => {
  const { set, read, claim, load, tokenOf, game_id, production_key: key } = await openStudio();
  await server.database.execute(sql`
    INSERT INTO player_call_counts
    SELECT ${game_id}, 'production', now() - hours * interval '1 hour', 1000, 100
    FROM unnest('{12, 25}'::integer[]) AS hours`);
  for (const player_id of ['ann', 'ben', 'cid']) {
    const body = { player_id, properties: {} };
    assert.equal((await server.request('POST', '/v1/identify', { key, body })).status, 200);
  }
  await claim('ann');
  const headers = await tokenOf('ann');
  await load('ann', { headers });
  await load('ann', { headers });
  await set('required');
  await load('ben');
  const server_key = await server.makeKey(game_id, 'production', 'server');
  await server.request('GET', '/v1/saves?player_id=ann', { key: server_key });
  await server.request('GET', '/v1/leaderboards/b?player_id=ann', { key });
  await waitUntil('the calls are counted', async () => {
    return (await read()).last_day.without_token === 104;
  });
  assert.deepEqual(await read(), {
    environment: 'production',
    verification: 'required',
    allows_claims: true,
    player_count: 3,
    claimed_player_count: 1,
    last_day: { with_token: 1002, without_token: 104 },
  });
  assert.deepEqual(await read('development'), {
    environment: 'development',
    verification: 'off',
    allows_claims: true,
    player_count: 0,
    claimed_player_count: 0,
    last_day: { with_token: 0, without_token: 0 },
  });
});

test('viewers read the setting, developers change it in development, and admins in production', async () => {
  const { game_id } = await openStudio();
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  assert.equal((await server.request('GET', pathOf(game_id), { token })).status, 200);
  const change = async (role: 'viewer' | 'developer' | 'admin', environment: string) => {
    const account = await server.makeAccount({ game_id, role });
    const options = { token: account.token, body: { verification: 'claimed' } };
    const path = `${pathOf(game_id)}?environment=${environment}`;
    return (await server.request('PATCH', path, options)).status;
  };
  assert.equal(await change('viewer', 'development'), 403);
  assert.equal(await change('developer', 'development'), 200);
  assert.equal(await change('developer', 'production'), 403);
  assert.equal(await change('admin', 'production'), 200);
});
