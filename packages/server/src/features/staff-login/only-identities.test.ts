import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findToken, waitForMail } from '../../../test/mailbox.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { callCli } from '../../../test/run-cli.ts';
import { lockAccountRow } from '../../platform/auth/account-lock.ts';
import { sql } from '../../platform/database/sql.ts';
import { openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let scene: StaffScene;
before(async () => {
  scene = await openStaffScene({ OIDC_ONLY: 'true' });
});
after(() => scene[Symbol.asyncDispose]());

const post = (path: string, body: object, token?: string) =>
  scene.server.request('POST', path, { body, token });

/** Makes the link by which an account comes back in, and returns its token. */
async function makeLink(email: string): Promise<string> {
  const { database_url: DATABASE_URL } = scene.server;
  const printed = await callCli(['login-link', email], { DATABASE_URL });
  assert.equal(printed.code, 0, printed.stderr);
  return /\/login#link=([\w-]+)\n$/.exec(printed.stdout)![1]!;
}

test('passwords log nobody in, and make no account', async () => {
  const { email, password } = await scene.server.makeAccount();
  for (const [path, body] of [
    ['/v1/auth/login', { email, password }],
    ['/v1/auth/register', { email: 'new@studio.example', password }],
  ] as const) {
    const refused = await post(path, body);
    assert.deepEqual([refused.status, refused.body.code], [403, 'PASSWORDS_REFUSED'], path);
  }
  const options = await scene.server.request('GET', '/v1/auth/options');
  assert.deepEqual(options.body.identity_provider, { name: '127.0.0.1', only: true });
});

test('the first administrator is made with the setup token and a password, and joins later', async () => {
  await using empty = await openStaffScene({ OIDC_ONLY: 'true' });
  const mira = person();
  const password = 'a password of my own';
  const body = { email: mira.email, password, setup_token: await empty.server.findSetupToken() };
  const made = await empty.server.request('POST', '/v1/auth/register', { body });
  assert.equal(made.status, 201, made.text);
  const { challenge } = (await empty.logIn(mira)).body;
  const joined = await empty.server.request('POST', '/v1/auth/identity/link', {
    body: { challenge, password },
  });
  assert.equal(joined.body.user?.id, made.body.user.id, joined.text);
});

test('a forgotten password can be reset, because it joins the account', async () => {
  const { server, logIn } = scene;
  const mira = person();
  const { account_id } = await server.makeAccount();
  await server.database.execute(sql`
    UPDATE accounts SET email = ${mira.email} WHERE id = ${account_id}`);
  const { challenge } = (await logIn(mira)).body;
  assert.equal((await post('/v1/auth/forgot-password', { email: mira.email })).status, 200);
  const token = await findToken(await waitForMail(server.data_dir, mira.email));
  const password = 'another password of mine';
  assert.equal((await post('/v1/auth/reset-password', { token, password })).status, 200);
  assert.equal((await post('/v1/auth/identity/link', { challenge, password })).status, 200);
  assert.equal((await post('/v1/auth/login', { email: mira.email, password })).status, 403);
});

test('an invited person joins by a login at the provider, and not by a password', async () => {
  const { server, logIn } = scene;
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const mira = person();
  const invited = { email: mira.email, role: 'developer' };
  const sent = await post(`/v1/games/${game_id}/invitations`, invited, owner.token);
  assert.equal(sent.status, 201, sent.text);
  const token = await findToken(await waitForMail(server.data_dir, mira.email));
  const password = 'a password of my own';
  const refused = await post('/v1/auth/accept-invitation', { token, password });
  assert.deepEqual([refused.status, refused.body.code], [403, 'PASSWORDS_REFUSED']);
  const login = (await logIn(mira)).body;
  const accepted = await post(`/v1/invitations/${token}/accept`, {}, login.token);
  assert.equal(accepted.body.role, 'developer', accepted.text);
});

test('a login link of the command line is the way back in: it works once, and for no locked account', async () => {
  const { server, logIn, addTotp } = scene;
  const { email, account_id } = await server.makeAccount();
  const replaced = await makeLink(email);
  const token = await makeLink(email);
  assert.equal((await post('/v1/auth/login/link', { token: replaced })).status, 400);
  const entered = await post('/v1/auth/login/link', { token });
  assert.equal(entered.body.user?.id, account_id, entered.text);
  assert.equal((await post('/v1/auth/login/link', { token })).status, 400);

  const late = await makeLink(email);
  await server.database.execute(sql`
    UPDATE accounts SET status = 'locked' WHERE id = ${account_id}`);
  assert.equal((await post('/v1/auth/login/link', { token: late })).status, 403);

  const mira = person();
  await addTotp((await logIn(mira)).body.token, mira);
  const asked = await post('/v1/auth/login/link', { token: await makeLink(mira.email) });
  assert.deepEqual([asked.status, asked.body.code], [401, 'SECOND_FACTOR_REQUIRED']);
});

test('a change of the password makes no session longer', async () => {
  const { database } = scene.server;
  const { token, account_id, password } = await scene.server.makeAccount();
  await database.execute(sql`
    UPDATE account_sessions SET expires_at = '2126-01-02T03:04:05Z' WHERE account_id = ${account_id}`);
  const body = { current_password: password, new_password: 'another password of mine' };
  const changed = await post('/v1/auth/change-password', body, token);
  assert.equal(changed.status, 200, changed.text);
  const sessions = await database.query<{ expires_at: string }>(sql`
    SELECT expires_at FROM account_sessions WHERE account_id = ${account_id}`);
  const end = Date.parse('2126-01-02T03:04:05Z');
  assert.deepEqual(
    sessions.map(({ expires_at }) => Date.parse(expires_at)),
    [end],
  );
  const claims = JSON.parse(Buffer.from(changed.body.token.split('.')[1], 'base64url').toString());
  assert.equal(claims.exp, end / 1_000);
});

test('a password cannot be changed in a session that ends meanwhile', async () => {
  const { database } = scene.server;
  const { token, account_id, session_id, password } = await scene.server.makeAccount();
  const body = { current_password: password, new_password: 'another password of mine' };
  const changing = await database.transaction(async (tx) => {
    await lockAccountRow(tx, account_id);
    const sent = post('/v1/auth/change-password', body, token);
    await waitForLock(database);
    await tx.execute(sql`DELETE FROM account_sessions WHERE id = ${session_id}`);
    return { sent };
  });
  const refused = await changing.sent;
  assert.equal(refused.status, 401, refused.text);
  const sessions = await database.query(sql`
    SELECT FROM account_sessions WHERE account_id = ${account_id}`);
  assert.equal(sessions.length, 0);
});

test('a change of the password, and a reset, end the login links of the account', async () => {
  const { server } = scene;
  const { token, email, password } = await server.makeAccount();
  const first = await makeLink(email);
  const body = { current_password: password, new_password: 'another password of mine' };
  assert.equal((await post('/v1/auth/change-password', body, token)).status, 200);
  assert.equal((await post('/v1/auth/login/link', { token: first })).status, 400);

  const second = await makeLink(email);
  assert.equal((await post('/v1/auth/forgot-password', { email })).status, 200);
  const reset = await findToken(await waitForMail(server.data_dir, email));
  const given = { token: reset, password: 'one more password of mine' };
  assert.equal((await post('/v1/auth/reset-password', given)).status, 200);
  assert.equal((await post('/v1/auth/login/link', { token: second })).status, 400);
});

test('a forgotten identity takes all sessions and access tokens of the account with it', async () => {
  const { server, logIn } = scene;
  const { database_url: DATABASE_URL } = server;
  const mira = person();
  const { token, user } = (await logIn(mira)).body;
  const { game_id } = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role) VALUES (${game_id}, ${user.id}, 'viewer')`);
  const access = await server.makeAccessToken(user.id, [game_id], 'viewer');
  const login_link = await makeLink(mira.email);
  assert.equal((await post('/v1/auth/forgot-password', { email: mira.email })).status, 200);
  const reset = await findToken(await waitForMail(server.data_dir, mira.email));
  const statusOf = async (bearer: string) =>
    (await server.request('GET', `/v1/games/${game_id}/dashboards`, { token: bearer })).status;
  assert.deepEqual([await statusOf(token), await statusOf(access.token)], [200, 200]);
  const forgotten = await callCli(['forget-identity', mira.email], { DATABASE_URL });
  assert.equal(forgotten.code, 0, forgotten.stderr);
  assert.deepEqual([await statusOf(token), await statusOf(access.token)], [401, 401]);
  const devices = await server.database.query(sql`
    SELECT FROM account_devices WHERE account_id = ${user.id}`);
  assert.equal(devices.length, 0);
  assert.equal((await post('/v1/auth/login/link', { token: login_link })).status, 400);
  const given = { token: reset, password: 'another password of mine' };
  assert.equal((await post('/v1/auth/reset-password', given)).status, 400);
});

test('a login that waits for its second step ends when the identity is forgotten', async () => {
  const { server, logIn, addTotp, takeSecondStep } = scene;
  const mira = person();
  const app = await addTotp((await logIn(mira)).body.token, mira);
  const { challenge } = (await logIn(mira)).body;
  const { database_url: DATABASE_URL } = server;
  assert.equal((await callCli(['forget-identity', mira.email], { DATABASE_URL })).code, 0);
  const late = await takeSecondStep(challenge, app);
  assert.deepEqual([late.status, late.body.code], [401, 'SECOND_FACTOR_EXPIRED'], late.text);
});
