import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from './login-game.ts';
import type { LoginGame } from './login-game.ts';

let server: TestServer;
let game: LoginGame;
before(async () => {
  server = await startTestServer();
  game = await makeLoginGame(server);
});
after(() => server.close());

const countPlayers = async () => {
  const found = await server.database.queryOne<{ count: number }>(
    sql`SELECT count(*) FROM players WHERE game_id = ${game.game_id}`,
  );
  return found!.count;
};

test('the first login of a device makes a player, and its later logins find the same player', async () => {
  const device = makeDevice();
  const first = await game.logIn(device);
  assert.equal(first.status, 201);
  const { player_id, player_token, refresh_token, expires_at, ...rest } = first.body;
  assert.deepEqual(rest, { created: true, providers: ['device'] });
  assert.match(player_id, /^[\da-f-]{36}$/);
  assert.equal(player_token.split('.').length, 3);
  const left_ms = Date.parse(expires_at) - Date.now();
  assert.ok(left_ms > 3_500_000 && left_ms <= 3_600_000, `${left_ms} ms`);
  const again = await game.logIn(device);
  assert.deepEqual(
    [again.status, again.body.player_id, again.body.created],
    [200, player_id, false],
  );
  assert.notEqual(again.body.refresh_token, refresh_token);
});

test('a login with a missing or malformed field gets 400, and the error names the field', async () => {
  const { provider, device_id, secret } = makeDevice();
  const cases: [object, string][] = [
    [{}, 'provider is required'],
    [{ provider }, 'device_id is required'],
    [{ provider, device_id }, 'secret is required'],
    [{ provider, device_id, secret: 'short' }, 'secret must have at least 32 characters'],
    [
      { provider, device_id: 'x'.repeat(256), secret },
      'device_id must have at most 255 characters',
    ],
    [{ provider, device_id, secret, player_id: '' }, 'player_id must not be empty'],
  ];
  for (const [body, error] of cases) {
    assert.deepEqual(refusalOf(await game.logIn(body)), [400, error]);
  }
  const unknown = await game.logIn({ provider: 'discord', id_token: 'x' });
  assert.deepEqual(refusalOf(unknown), [404, 'Login provider not found']);
  const oversized = await game.logIn({ provider, device_id, secret: 'x'.repeat(17_000) });
  assert.equal(oversized.status, 413);
});

test('twenty logins of a new device at the same time make one player', async () => {
  const device = makeDevice();
  const before_count = await countPlayers();
  const answers = await Promise.all(Array.from({ length: 20 }, () => game.logIn(device)));
  assert.equal(new Set(answers.map(({ body }) => body.player_id)).size, 1);
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal((await countPlayers()) - before_count, 1);
});

test('the first device that logs in with the id of an unclaimed player takes over that player', async () => {
  const player_id = `legacy ${randomUUID()}`;
  const key = game.production_key;
  await server.request('PUT', '/v1/saves', { key, body: { player_id, data: { gold: 1 } } });
  const device = makeDevice();
  const claimed = await game.logIn({ ...device, player_id });
  assert.deepEqual(
    [claimed.status, claimed.body.player_id, claimed.body.created],
    [201, player_id, true],
  );
  const again = await game.logIn({ ...device, player_id });
  assert.deepEqual([again.status, again.body.player_id], [200, player_id]);
  const other = await game.logIn({ ...makeDevice(), player_id });
  assert.equal(other.status, 409);
  assert.match(other.body.error, /^This player belongs to somebody who has logged in/);
  const elsewhere = await game.logIn({ ...device, player_id: 'another' });
  assert.equal(elsewhere.body.player_id, player_id);
});

test('if twenty devices claim a player at the same time, only one device gets the player', async () => {
  const player_id = `contested ${randomUUID()}`;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => game.logIn({ ...makeDevice(), player_id })),
  );
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [201, ...Array(19).fill(409)]);
  const identities = await server.database.query(
    sql`SELECT FROM player_identities WHERE player_id = ${player_id}`,
  );
  assert.equal(identities.length, 1);
});

test('a device has a different player in each game and environment', async () => {
  const device = makeDevice();
  const here = await game.logIn(device);
  const development = await game.logIn(device, game.development_key);
  const other = await makeLoginGame(server);
  const there = await other.logIn(device);
  const ids = [here, development, there].map(({ body }) => body.player_id);
  assert.equal(new Set(ids).size, 3);
});

test('a known player can still log in when the game is at its limit of players', async () => {
  const full = await makeLoginGame(server);
  const device = makeDevice();
  await server.database.execute(
    sql`UPDATE games SET limit_overrides = '{"players": 1}' WHERE id = ${full.game_id}`,
  );
  await full.logIn(device);
  assert.equal((await full.logIn(device)).status, 200);
  const refused = await full.logIn(makeDevice());
  assert.deepEqual([refused.status, refused.body.code], [403, 'LIMIT_REACHED']);
});

test('a player has at most 20 sessions, and a further login ends the least recently used one', async () => {
  const device = makeDevice();
  const sessions: string[] = [];
  for (let turn = 0; turn < 22; turn++) {
    sessions.push((await game.logIn(device)).body.refresh_token);
  }
  const first = await game.refresh(sessions[0]!);
  assert.deepEqual(refusalOf(first), [401, 'This login has ended. Log in again.']);
  assert.equal((await game.refresh(sessions.at(-1)!)).status, 200);
});

test('the erasure of a player also erases the logins and sessions of that player', async () => {
  const device = makeDevice();
  const { body } = await game.logIn(device);
  const path = `/players/${body.player_id}`;
  const exported = await game.steer('GET', `${path}/export`);
  assert.equal(exported.body.logins.identities[0].subject, device.device_id);
  assert.doesNotMatch(exported.text, /secret/);
  assert.equal((await game.steer('DELETE', path)).status, 204);
  assert.equal((await game.refresh(body.refresh_token)).status, 401);
  const again = await game.logIn(device);
  assert.equal(again.status, 201);
  assert.notEqual(again.body.player_id, body.player_id);
});
