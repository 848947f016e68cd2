import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { makePlayerToken } from '../../../../test/player-token.ts';
import { makeDevice, makeLoginGame, refusalOf } from './login-game.ts';
import type { LoginGame } from './login-game.ts';

let server: TestServer;
let game: LoginGame;
let key: string;
before(async () => {
  server = await startTestServer();
  game = await makeLoginGame(server);
  key = await server.makeKey(game.game_id, 'production', 'server');
});
after(() => server.close());

const verify = (player_token: unknown, by = key): Promise<TestAnswer> =>
  server.request('POST', '/v1/players/verify', { key: by, body: { player_token } });

const send = (method: string, path: string, body?: unknown) =>
  server.request(method, path, { key, body });

test('a server key learns the player, the expiry and the providers of a token', async () => {
  const { body: login } = await game.logIn(makeDevice());
  const { status, body } = await verify(login.player_token);
  assert.equal(status, 200);
  const { player_id, expires_at } = login;
  assert.deepEqual(body, { player_id, expires_at, providers: ['device'] });
});

test('a client key may not verify tokens', async () => {
  const { body: login } = await game.logIn(makeDevice());
  assert.deepEqual(refusalOf(await verify(login.player_token, game.production_key)), [
    403,
    'Only a server key may make this call',
  ]);
});

test('expired, forged and foreign tokens are answered 401', async () => {
  const { body: login } = await game.logIn(makeDevice());
  const { player_token: token, player_id } = login;
  const player = { game_id: game.game_id, environment: 'production', player_id } as const;
  const expired = await makePlayerToken(server, player, () => new Date(Date.now() - 3_601_000));
  assert.deepEqual(refusalOf(await verify(expired)), [401, 'Player token expired']);
  for (const text of [
    'x',
    `${token}x`,
    token.slice(0, -2),
    'x'.repeat(8_192),
    login.refresh_token,
  ]) {
    assert.deepEqual(refusalOf(await verify(text)), [401, 'Invalid player token']);
  }
  const foreign = [401, 'This player token belongs to another game'];
  const development = await server.makeKey(game.game_id, 'development', 'server');
  assert.deepEqual(refusalOf(await verify(token, development)), foreign);
  const other = await server.makeGame();
  const others = await server.makeKey(other.game_id, 'production', 'server');
  assert.deepEqual(refusalOf(await verify(token, others)), foreign);
});

test('a body without a token is answered 400', async () => {
  for (const body of [undefined, null, 1, '', ['x'], {}, 'x'.repeat(8_193)]) {
    const { status, body: refusal } = await verify(body);
    assert.equal(status, 400);
    assert.match(refusal.error, /player_token/);
  }
});

test('the token of a merged player names the player who stays, until somebody has its id again', async () => {
  const [ended, stays] = [await game.logIn(makeDevice()), await game.logIn(makeDevice())];
  const { player_id: from_player_id, player_token } = ended.body;
  const { player_id } = stays.body;
  assert.equal(
    (await send('POST', `/v1/players/${player_id}/merge`, { from_player_id })).status,
    200,
  );
  const { status, body } = await verify(player_token);
  assert.deepEqual([status, body.player_id, body.providers], [200, player_id, ['device']]);
  const again = { player_id: from_player_id, properties: {} };
  assert.equal((await send('POST', '/v1/identify', again)).status, 200);
  const { body: own } = await verify(player_token);
  assert.deepEqual([own.player_id, own.providers], [from_player_id, []]);
});

test('the token of an erased player is answered 401', async () => {
  const { body: login } = await game.logIn(makeDevice());
  assert.equal((await send('POST', `/v1/players/${login.player_id}/erase`)).status, 204);
  assert.deepEqual(refusalOf(await verify(login.player_token)), [
    401,
    'The player of this token was erased',
  ]);
});
