import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { useTwoServers } from '../../../test/two-servers.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const nodes = useTwoServers();
let server: TestServer;
before(() => {
  [server] = nodes;
});

const REFUSED = 'This game lets no login name its player: leave player_id out to get a new player';
const MERGED =
  'This player was merged into another one: leave player_id out to get a new player, or log in as the player who stays';

async function openStudio() {
  const game = await server.makeGame();
  const { game_id, production_key } = game;
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}/player-verification`;
  const newDevice = () => ({
    provider: 'device',
    device_id: randomUUID(),
    secret: randomBytes(32).toString('base64url'),
  });
  return {
    ...game,
    newDevice,
    steer: (method: string, query: string, body?: object) =>
      server.request(method, path + query, { token, body }),
    async allowClaims(allows_claims: boolean) {
      const changed = await server.request('PATCH', path, { token, body: { allows_claims } });
      assert.deepEqual([changed.status, changed.body.allows_claims], [200, allows_claims]);
    },
    async merge(player_id: string, from_player_id: string) {
      const merging = `/v1/games/${game_id}/players/${player_id}/merge`;
      const options = { token, body: { from_player_id } };
      assert.equal((await server.request('POST', merging, options)).status, 200);
    },
    async erase(player_id: string) {
      const player = `/v1/games/${game_id}/players/${player_id}?environment=production`;
      assert.equal((await server.request('DELETE', player, { token })).status, 204);
    },
    async hasPlayer(player_id: string) {
      const player = `/v1/games/${game_id}/players/${player_id}?environment=production`;
      return (await server.request('GET', player, { token })).status === 200;
    },
    async makePlayer(player_id: string = randomUUID()) {
      const body = { player_id, data: {} };
      const made = await server.request('PUT', '/v1/saves', { key: production_key, body });
      assert.equal(made.status, 200);
      return player_id;
    },
    logIn: (body: object, { key = production_key, node = server } = {}) =>
      node.request('POST', '/v1/players/login', { key, body }),
  };
}

test('if claims are not allowed, every server refuses new devices that name a player', async () => {
  const { allowClaims, makePlayer, logIn, newDevice } = await openStudio();
  await allowClaims(false);
  for (const node of nodes) {
    await waitUntil('the server refuses claims', async () => {
      const player_id = await makePlayer();
      return (await logIn({ ...newDevice(), player_id }, { node })).status === 403;
    });
  }
  const player_id = await makePlayer();
  const device = newDevice();
  const refused = await logIn({ ...device, player_id });
  assert.deepEqual([refused.status, refused.body.error], [403, REFUSED]);
  const fresh = await logIn(device);
  assert.equal(fresh.status, 201);
  assert.notEqual(fresh.body.player_id, player_id);
  const known = await logIn({ ...device, player_id });
  assert.deepEqual([known.status, known.body.player_id], [200, fresh.body.player_id]);
  await allowClaims(true);
  const claimed = await logIn({ ...newDevice(), player_id });
  assert.deepEqual([claimed.status, claimed.body.player_id], [201, player_id]);
});

test('if claims are not allowed, no login can name a player who is new, erased or merged', async () => {
  const studio = await openStudio();
  const { allowClaims, makePlayer, merge, erase, hasPlayer, logIn, newDevice } = studio;
  await allowClaims(false);
  const [merged, erased] = [await makePlayer(), await makePlayer()];
  await merge(await makePlayer(), merged);
  await erase(erased);
  for (const player_id of [randomUUID(), erased, merged]) {
    const device = newDevice();
    const refused = await logIn({ ...device, player_id });
    assert.deepEqual([refused.status, refused.body.error], [403, REFUSED]);
    assert.equal(await hasPlayer(player_id), false);
    const fresh = await logIn(device);
    assert.equal(fresh.status, 201);
    assert.notEqual(fresh.body.player_id, player_id);
  }
});

test('no login can take over a player who was merged into another one', async () => {
  const { makePlayer, merge, hasPlayer, logIn, newDevice, game_id } = await openStudio();
  const server_key = await server.makeKey(game_id, 'production', 'server');
  const player_id = await makePlayer();
  await merge(await makePlayer(), player_id);
  for (const key of [undefined, server_key]) {
    const refused = await logIn({ ...newDevice(), player_id }, { key });
    assert.deepEqual([refused.status, refused.body.error], [409, MERGED]);
    assert.equal(await hasPlayer(player_id), false);
  }
});

test('if claims are not allowed, a login with a server key can still take over a player', async () => {
  const { allowClaims, makePlayer, logIn, newDevice, game_id } = await openStudio();
  await allowClaims(false);
  const player_id = await makePlayer();
  const key = await server.makeKey(game_id, 'production', 'server');
  const given = await logIn({ ...newDevice(), player_id }, { key });
  assert.deepEqual([given.status, given.body.player_id], [201, player_id]);
});

test('a change of one setting leaves the other settings and environments as they are', async () => {
  const { steer, allowClaims } = await openStudio();
  await allowClaims(false);
  const changed = await steer('PATCH', '', { verification: 'claimed' });
  assert.deepEqual([changed.body.verification, changed.body.allows_claims], ['claimed', false]);
  const other = await steer('GET', '?environment=development');
  assert.deepEqual([other.body.verification, other.body.allows_claims], ['off', true]);
});

test('a request with the environment in the body, or with a setting in the query, gets 400', async () => {
  const { steer } = await openStudio();
  const cases: [string, object, string][] = [
    [
      '',
      { environment: 'development', verification: 'claimed' },
      'environment belongs in the query string, not in the body',
    ],
    [
      '?verification=claimed',
      { allows_claims: false },
      'verification belongs in the body, not in the query string',
    ],
    ['', {}, 'The request body must not be empty'],
    ['', { allows_claims: 'no' }, 'allows_claims must be true or false'],
  ];
  for (const [query, body, error] of cases) {
    const { status, body: said } = await steer('PATCH', query, body);
    assert.deepEqual([status, said.error], [400, error]);
  }
  const { body } = await steer('GET', '');
  assert.deepEqual([body.verification, body.allows_claims], ['off', true]);
});
