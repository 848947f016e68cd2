import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose/jwt/sign';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from '../test/login-game.ts';
import type { LoginGame } from '../test/login-game.ts';

let server: TestServer;
let game: LoginGame;
const secret = randomBytes(32).toString('base64url');
before(async () => {
  server = await startTestServer();
  game = await makeLoginGame(server);
  await game.register('custom', { secret });
});
after(() => server.close());

const makeCustom = async (sub: string) => ({
  provider: 'custom',
  token: await new SignJWT({ sub, jti: randomUUID() })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret)),
});
const logIn = async () => {
  const device = makeDevice();
  const { body } = await game.logIn(device);
  return {
    device,
    ...(body as { player_id: string; player_token: string; refresh_token: string }),
  };
};

test('a linked login logs in as the same player, and linking it again changes nothing', async () => {
  const { player_id, player_token } = await logIn();
  const linked = await game.link(player_token, await makeCustom('ada'));
  assert.deepEqual(
    [linked.status, linked.body],
    [200, { player_id, providers: ['custom', 'device'] }],
  );
  assert.equal((await game.link(player_token, await makeCustom('ada'))).status, 200);
  const login = await game.logIn(await makeCustom('ada'));
  assert.deepEqual([login.status, login.body.player_id], [200, player_id]);
  assert.deepEqual(login.body.providers, ['custom', 'device']);
});

test('linking a login of another player, or a second login of the same provider, answers 409', async () => {
  await game.link((await logIn()).player_token, await makeCustom('bea'));
  const { player_token } = await logIn();
  const taken = await game.link(player_token, await makeCustom('bea'));
  assert.equal(taken.status, 409);
  assert.match(taken.body.error, /^This login belongs to another player/);
  await game.link(player_token, await makeCustom('cem'));
  const second = await game.link(player_token, await makeCustom('dov'));
  assert.equal(second.status, 409);
  assert.match(second.body.error, /^The player has another login of this provider/);
  assert.equal((await game.logIn(await makeCustom('dov'))).status, 201, 'it was not linked');
});

test('if two players link the same login at the same time, only one of them gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const players = await Promise.all([logIn(), logIn()]);
    const name = `contested ${round}`;
    const answers = await Promise.all(
      players.map(async ({ player_token }) => game.link(player_token, await makeCustom(name))),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
    const winner = players[answers.findIndex(({ status }) => status === 200)]!;
    const login = await game.logIn(await makeCustom(name));
    assert.equal(login.body.player_id, winner.player_id);
  }
});

test('if twenty devices are linked at the same time, the player has ten devices in all', async () => {
  const { player_token } = await logIn();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => game.link(player_token, makeDevice())),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 9);
  assert.equal(answers.filter(({ status }) => status === 409).length, 11);
});

test('a link needs the token of a player of this game', async () => {
  const body = makeDevice();
  const { player_token } = await logIn();
  const other = await makeLoginGame(server);
  const foreign = 'This player token belongs to another game';
  assert.deepEqual(refusalOf(await game.link('', body)), [401, 'Missing x-player-token header']);
  assert.deepEqual(refusalOf(await game.link('x', body)), [401, 'Invalid player token']);
  assert.deepEqual(refusalOf(await other.link(player_token, body)), [401, foreign]);
  const development = await game.link(player_token, body, game.development_key);
  assert.deepEqual(refusalOf(development), [401, foreign]);
});

test('unlinking a login ends its sessions, and other players can then link it; a last login stays', async () => {
  const { player_id, player_token, device, refresh_token } = await logIn();
  const last = await game.unlink(player_token, 'device');
  assert.deepEqual(refusalOf(last), [
    409,
    'This is the last login of the player: link another one first',
  ]);
  await game.link(player_token, await makeCustom('eva'));
  const custom = await game.logIn(await makeCustom('eva'));
  const left = await game.unlink(player_token, 'device');
  assert.deepEqual([left.status, left.body], [200, { player_id, providers: ['custom'] }]);
  assert.equal((await game.refresh(refresh_token)).status, 401);
  assert.equal((await game.refresh(custom.body.refresh_token)).status, 200);
  assert.equal((await game.logIn(device)).status, 201);
  assert.equal((await game.unlink(custom.body.player_token, 'steam')).status, 404);
});

test('a player token whose session has ended cannot change logins', async () => {
  const { player_id, player_token, refresh_token, device } = await logIn();
  const makeCode = () =>
    server.request('POST', '/v1/players/move-code', {
      key: game.production_key,
      headers: { 'x-player-token': player_token },
    });
  const { code } = (await makeCode()).body;
  await game.logOut(refresh_token);
  const answers = [
    await game.link(player_token, makeDevice()),
    await game.unlink(player_token, 'device'),
    await makeCode(),
  ];
  for (const answer of answers) {
    assert.deepEqual(refusalOf(answer), [401, 'This login has ended. Log in again.']);
  }
  const path = `/players/${player_id}/logins`;
  assert.equal((await game.steer('GET', path)).body.logins.length, 1);
  const login = new URLSearchParams({ provider: 'device', subject: device.device_id });
  await game.steer('DELETE', `${path}?${login}`);
  const body = { code, ...makeDevice() };
  const moved = await server.request('POST', '/v1/players/move', {
    key: game.production_key,
    body,
  });
  assert.equal(moved.status, 404, 'its open code has gone with the login');
});

test('other players can save while links of one player wait for a lock', async () => {
  const { player_id, player_token } = await logIn();
  const links: Promise<{ status: number }>[] = [];
  await server.database.ofGame(game.game_id).transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM players WHERE player_id = ${player_id} FOR UPDATE`);
    for (let index = 0; index < 20; index++) links.push(game.link(player_token, makeDevice()));
    await waitForLock(server.database);
    const save = { player_id: 'somebody else', data: {} };
    const saved = await server.request('PUT', '/v1/saves', {
      key: game.production_key,
      body: save,
    });
    assert.equal(saved.status, 200);
  });
  const statuses = (await Promise.all(links)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 9);
});

test('staff can list and remove the logins of a player', async () => {
  const { player_id, refresh_token, device } = await logIn();
  const path = `/players/${player_id}/logins`;
  const list = await game.steer('GET', path);
  assert.deepEqual(
    list.body.logins.map(({ provider, subject }: Record<string, string>) => [provider, subject]),
    [['device', device.device_id]],
  );
  const remove = `${path}?${new URLSearchParams({ provider: 'device', subject: device.device_id })}`;
  assert.equal((await game.steer('DELETE', remove)).status, 204);
  assert.equal((await game.steer('DELETE', remove)).status, 404);
  assert.deepEqual((await game.steer('GET', path)).body.logins, []);
  assert.equal((await game.refresh(refresh_token)).status, 401);
  assert.equal((await game.steer('GET', '/players/nobody/logins')).status, 404);
  assert.ok((await game.steer('GET', '/audit-log')).text.includes('remove_player_login'));
});
