import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose/jwt/sign';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from './login-game.ts';
import type { LoginGame } from './login-game.ts';

/**
 * In each test, a stranger has claimed the id `ann` by a login for which nobody vouched. Then the studio
 * vouches for another login of this player.
 */

let server: TestServer;
let game: LoginGame;
let secret: string;
let server_key: string;
const stranger = makeDevice();
let claim: TestAnswer['body'];
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  game = await makeLoginGame(server);
  secret = randomBytes(32).toString('base64url');
  await game.register('custom', { secret });
  server_key = await server.makeKey(game.game_id, 'production', 'server');
  claim = (await game.logIn({ ...stranger, player_id: 'ann' })).body;
  assert.equal(claim.player_id, 'ann');
});

const sign = (claims: object) =>
  new SignJWT({ sub: 'user-1', jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(secret));
const logInByStudio = async (player_id = 'ann', sub = 'user-1') =>
  game.logIn({ provider: 'custom', token: await sign({ sub, player_id }) });
const listLogins = async () =>
  (await game.steer('GET', '/players/ann/logins')).body.logins.map(
    ({ subject }: { subject: string }) => subject,
  );

const vouchers: Record<string, () => Promise<[subject: string, answer: TestAnswer]>> = {
  'a login token of the studio': async () => ['user-1', await logInByStudio()],
  'a server key': async () => {
    const device = makeDevice();
    return [device.device_id, await game.logIn({ ...device, player_id: 'ann' }, server_key)];
  },
};
for (const [voucher, vouch] of Object.entries(vouchers)) {
  test(`${voucher} drops the logins of the player for which nobody vouched`, async () => {
    const [phone, tablet] = [makeDevice(), makeDevice()];
    await game.link(claim.player_token, phone);
    const { code } = await makeMoveCode();
    assert.equal((await move(code, tablet)).status, 200);
    const open_code = (await makeMoveCode()).code;

    const [subject, { status, body }] = await vouch();
    assert.deepEqual([status, body.player_id], [201, 'ann']);
    assert.deepEqual(await listLogins(), [subject]);
    assert.equal((await game.refresh(claim.refresh_token)).status, 401);
    assert.equal((await game.unlink(claim.player_token, body.providers[0])).status, 401);
    assert.equal((await move(open_code, makeDevice())).status, 404);
    for (const device of [stranger, phone, tablet]) {
      assert.notEqual((await game.logIn(device)).body.player_id, 'ann');
    }
    const log = await game.steer('GET', '/audit-log');
    const dropped = log.body.audit_log.filter(
      ({ action, target }: Record<string, string>) =>
        action === 'drop_player_login' && target === 'ann',
    );
    assert.equal(dropped.length, 3);
  });
}

const makeMoveCode = async () =>
  (
    await server.request('POST', '/v1/players/move-code', {
      key: game.production_key,
      headers: { 'x-player-token': claim.player_token },
    })
  ).body;
const move = (code: string, device: object) =>
  server.request('POST', '/v1/players/move', {
    key: game.production_key,
    body: { code, ...device },
  });

test('logins for which somebody vouched stay, and no other login can claim their player', async () => {
  const device = makeDevice();
  assert.equal((await game.logIn({ ...device, player_id: 'ben' }, server_key)).status, 201);
  assert.equal((await logInByStudio('ben')).status, 201);
  const { status, body } = await game.logIn(device);
  assert.deepEqual([status, body.player_id, body.providers], [200, 'ben', ['custom', 'device']]);
  for (const key of [undefined, server_key]) {
    const refused = await game.logIn({ ...makeDevice(), player_id: 'ben' }, key);
    assert.equal(refused.status, 409);
  }
});

test('of a claim and a login with a voucher that come together, the one with the voucher stays', async () => {
  const { player_id } = (await game.logIn(makeDevice())).body;
  const [claiming, vouched] = [makeDevice(), makeDevice()];
  const answers = await server.database.ofGame(game.game_id).transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM players WHERE player_id = ${player_id} FOR UPDATE`);
    const waiting = logInByStudio(player_id);
    await waitForLock(server.database);
    // Both come while the first login waits, so one statement stores them.
    const claim_of_eve = game.logIn({ ...claiming, player_id: 'eve' });
    const eve = game.logIn({ ...vouched, player_id: 'eve' }, server_key);
    await sleep(200);
    return [waiting, eve, claim_of_eve];
  });
  const [waiting, eve] = await Promise.all(answers);
  assert.deepEqual([waiting!.status, eve!.status, eve!.body.player_id], [201, 201, 'eve']);
  assert.equal((await game.logIn(vouched)).body.player_id, 'eve');
  assert.notEqual((await game.logIn(claiming)).body.player_id, 'eve');
});

test('a claim without a voucher is refused for a player with a claim, and drops nothing', async () => {
  const other = await game.logIn({ ...makeDevice(), player_id: 'ann' });
  assert.equal(other.status, 409);
  assert.deepEqual(await listLogins(), [stranger.device_id]);
});

test('a login that is linked with a token of the studio for this player counts as vouched for', async () => {
  const token = await sign({ player_id: 'ann' });
  const linked = await game.link(claim.player_token, { provider: 'custom', token });
  assert.deepEqual(linked.body.providers, ['custom', 'device']);
  assert.equal((await logInByStudio('ann', 'user-2')).status, 201);
  assert.deepEqual(await listLogins(), ['user-1', 'user-2']);
});

test('a token of the studio for another player is refused when a login is linked or made', async () => {
  const token = await sign({ player_id: 'ben' });
  const linked = await game.link(claim.player_token, { provider: 'custom', token });
  assert.deepEqual(refusalOf(linked), [403, 'This player token belongs to another player']);
  const named = await game.logIn({ provider: 'custom', token, player_id: 'ann' });
  assert.deepEqual(refusalOf(named), [403, 'player_id is not the player of the login token']);
  const sent = await server.request('POST', '/v1/players/login', {
    key: game.production_key,
    headers: { 'x-player-token': claim.player_token },
    body: { provider: 'custom', token },
  });
  assert.deepEqual(refusalOf(sent), [403, 'This player token belongs to another player']);
});

test('a repeated merge takes over no login that came after the first merge', async () => {
  const merge = (player_id: string) =>
    server.request('POST', `/v1/players/${player_id}/merge`, {
      key: server_key,
      body: { from_player_id: 'ann' },
    });
  const owner = await game.logIn(makeDevice());
  const first = await merge(owner.body.player_id);
  assert.deepEqual(first.body.changes.logins, ['device']);
  // The studio's token makes a player of this id again.
  const later = await logInByStudio();
  assert.equal(later.status, 201);
  const again = await merge(owner.body.player_id);
  assert.deepEqual([again.status, again.body.changes.logins], [200, []]);
  assert.equal((await game.refresh(later.body.refresh_token)).status, 401);
  assert.equal((await game.logIn(stranger)).body.player_id, owner.body.player_id);
  const { body } = await game.logIn({ provider: 'custom', token: await sign({}) });
  assert.notEqual(body.player_id, owner.body.player_id);
});
