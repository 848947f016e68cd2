import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeDevice, makeLoginGame, refusalOf } from '../test/login-game.ts';
import type { LoginGame } from '../test/login-game.ts';

let server: TestServer;
let second: TestServer;
let game: LoginGame;
before(async () => {
  server = await startTestServer();
  second = await startTestServer({ database_url: server.database_url });
  game = await makeLoginGame(server);
});
after(async () => {
  await second.close();
  await server.close();
});

const ENDED = 'This login has ended. Log in again.';
const USED = 'This refresh token was used before. Log in again.';

const logIn = async (): Promise<string> => (await game.logIn(makeDevice())).body.refresh_token;

/** Moves the times of all earlier refreshes this many seconds into the past. */
const passSeconds = (seconds: number) =>
  server.database.ofGame(game.game_id).execute(sql`
    UPDATE player_login_sessions SET refreshed_at = ${earlier(sql`refreshed_at`, sql`${seconds}::integer * interval '1 second'`)}`);

test('a refresh gives a new player token and a new refresh token', async () => {
  const login = await game.logIn(makeDevice());
  const { status, body } = await game.refresh(login.body.refresh_token);
  assert.equal(status, 200);
  assert.equal(body.player_id, login.body.player_id);
  assert.deepEqual([body.created, body.providers], [false, ['device']]);
  assert.notEqual(body.refresh_token, login.body.refresh_token);
  assert.equal((await game.refresh(body.refresh_token)).status, 200);
});

test('a player whose id has a replacement character can refresh', async () => {
  const login = await game.logIn({ ...makeDevice(), player_id: 'pirate \uFFFD' });
  assert.equal((await game.refresh(login.body.refresh_token)).status, 200);
});

test('a refresh that is repeated within 30 seconds gets the same new refresh token', async () => {
  const token = await logIn();
  const first = await game.refresh(token);
  await passSeconds(20);
  const repeat = await game.refresh(token);
  assert.equal(repeat.status, 200);
  assert.equal(repeat.body.refresh_token, first.body.refresh_token);
});

test('the session ends if a refresh token is used again after more than 30 seconds', async () => {
  const token = await logIn();
  const { body } = await game.refresh(token);
  await passSeconds(31);
  assert.deepEqual(refusalOf(await game.refresh(token)), [401, USED]);
  assert.deepEqual(refusalOf(await game.refresh(body.refresh_token)), [401, ENDED]);
});

test('the session ends immediately if the refresh token from two refreshes ago is used again', async () => {
  const token = await logIn();
  const { body } = await game.refresh(token);
  await game.refresh(body.refresh_token);
  assert.deepEqual(refusalOf(await game.refresh(token)), [401, USED]);
  assert.deepEqual(refusalOf(await game.refresh(body.refresh_token)), [401, ENDED]);
});

test('twenty refreshes at the same time on two servers all get the same new refresh token', async () => {
  const token = await logIn();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const body = { refresh_token: token };
      return (index % 2 === 0 ? server : second).request('POST', '/v1/players/refresh', {
        key: game.production_key,
        body,
      });
    }),
  );
  const given = new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`));
  assert.equal(given.size, 1);
  const [next] = answers;
  assert.equal(next!.status, 200);
  assert.equal((await game.refresh(next!.body.refresh_token)).status, 200);
});

test('forged or malformed refresh tokens, and other games, cannot refresh or end the session', async () => {
  const token = await logIn();
  const other = await makeLoginGame(server);
  const INVALID = 'Invalid refresh token';
  const bytes = Buffer.from(token.slice('ow_refresh_'.length), 'base64url');
  const change = (at: number) => {
    const forged = Buffer.from(bytes);
    forged[at]! ^= 1;
    return `ow_refresh_${forged.toString('base64url')}`;
  };
  assert.deepEqual(refusalOf(await game.refresh(change(19))), [401, INVALID]);
  assert.deepEqual(refusalOf(await game.refresh(change(30))), [401, INVALID]);
  assert.deepEqual(refusalOf(await game.refresh(change(3))), [401, ENDED]);
  for (const text of ['x', 'ow_refresh_', 'ow_refresh_AAAA', `${token}=`, `${token}%`]) {
    assert.deepEqual(refusalOf(await game.refresh(text)), [401, INVALID]);
  }
  const nul = Buffer.concat([bytes.subarray(0, 44), Buffer.from('a\0b')]).toString('base64url');
  assert.deepEqual(refusalOf(await game.refresh(`ow_refresh_${nul}`)), [401, INVALID]);
  assert.equal((await game.refresh('x'.repeat(2_049))).status, 400);
  assert.equal((await other.refresh(token)).status, 401);
  assert.equal((await game.refresh(token, game.development_key)).status, 401);
  assert.equal((await game.refresh(token)).status, 200);
});

test('a logout ends the session, and a repeated logout succeeds too', async () => {
  const token = await logIn();
  assert.equal((await game.logOut(token)).status, 204);
  assert.deepEqual(refusalOf(await game.refresh(token)), [401, ENDED]);
  assert.equal((await game.logOut(token)).status, 204);
});

test('a session that has not been used for 90 days ends', async () => {
  const token = await logIn();
  const database = server.database.ofGame(game.game_id);
  const left = await database.queryOne<{ is_long: boolean }>(sql`
    SELECT min(expires_at) > now() + interval '90 days' AS is_long FROM player_login_sessions`);
  assert.equal(left!.is_long, true);
  await database.execute(sql`UPDATE player_login_sessions SET expires_at = now()`);
  assert.deepEqual(refusalOf(await game.refresh(token)), [401, ENDED]);
});
