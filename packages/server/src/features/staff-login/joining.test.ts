import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callCli } from '../../../test/run-cli.ts';
import { sql } from '../../platform/database/sql.ts';
import { confirmLink } from './account-link.ts';
import type { LoginServices } from './identity-login.ts';
import { openStaffScene, person } from './test/staff-scene.ts';
import type { StaffScene } from './test/staff-scene.ts';

let scene: StaffScene;
before(async () => {
  scene = await openStaffScene();
});
after(() => scene[Symbol.asyncDispose]());

/** Makes an account with a password and the address of a person. */
async function register(mira: ReturnType<typeof person>, isProved: boolean) {
  const { server } = scene;
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  const { account_id } = account;
  const proved_at = isProved ? new Date() : null;
  await server.database.execute(sql`
    UPDATE accounts SET email = ${mira.email}, email_verified_at = ${proved_at}
    WHERE id = ${account_id}`);
  return { ...account, game_id, email: mira.email };
}

const link = (body: object) => scene.server.request('POST', '/v1/auth/identity/link', { body });

test('an account with a password is joined only after the password, and locked ones stay locked', async () => {
  const { server, logIn } = scene;
  const mira = person();
  const owner = await register(mira, true);
  const refused = await logIn(mira);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.email_verified],
    [409, 'IDENTITY_NOT_LINKED', true],
  );
  const { challenge } = refused.body;
  assert.equal((await link({ challenge, password: 'wrong' })).status, 401);
  assert.equal(
    (await link({ challenge: challenge.slice(4), password: owner.password })).status,
    401,
  );
  assert.equal((await link({ challenge })).status, 400);
  assert.equal((await link({ challenge, password: 'x', discard_password: true })).status, 400);
  const forced = await link({ challenge, discard_password: true });
  assert.equal(forced.status, 409, forced.text);
  assert.equal((await logIn(mira)).status, 409);
  assert.equal((await link({ challenge, password: owner.password })).status, 200);
  assert.equal((await logIn(mira)).body.user.id, owner.account_id);
  await server.database.execute(sql`
    UPDATE accounts SET status = 'locked' WHERE id = ${owner.account_id}`);
  const locked = await logIn(mira);
  assert.deepEqual([locked.status, locked.body.code], [403, 'ACCOUNT_LOCKED']);
});

test('a stranger who registered an address that was never proved neither blocks its owner nor stays in', async () => {
  const { server, logIn } = scene;
  const mira = person();
  const stranger = await register(mira, false);
  const { account_id, game_id } = stranger;
  const { token: access_token } = await server.makeAccessToken(account_id, [game_id], 'viewer');
  await server.database.execute(sql`
    INSERT INTO account_devices (account_id, token_hash) VALUES (${account_id}, 'of the stranger')`);
  await server.database.execute(sql`
    INSERT INTO totp_factors (account_id, sealed_secret, last_step) VALUES (${account_id}, 'x', 0)`);
  const { database_url: DATABASE_URL } = server;
  const printed = await callCli(['login-link', mira.email], { DATABASE_URL });
  const login_link = /#link=([\w-]+)/.exec(printed.stdout)![1]!;
  const refused = await logIn(mira);
  assert.deepEqual(
    [refused.body.code, refused.body.email_verified],
    ['IDENTITY_NOT_LINKED', false],
  );
  const taken = await link({ challenge: refused.body.challenge, discard_password: true });
  assert.equal(taken.status, 200, taken.text);
  assert.equal(taken.body.user.id, account_id);
  for (const path of ['sessions', 'devices']) {
    const list = await server.request('GET', `/v1/auth/${path}`, { token: taken.body.token });
    assert.equal(list.body[path].length, 1, list.text);
  }
  for (const token of [stranger.token, access_token]) {
    assert.equal((await server.request('GET', '/v1/games', { token })).status, 401);
  }
  const by_link = await server.request('POST', '/v1/auth/login/link', {
    body: { token: login_link },
  });
  assert.equal(by_link.status, 400, by_link.text);
  const { email, password } = stranger;
  const attempt = await server.request('POST', '/v1/auth/login', { body: { email, password } });
  assert.equal(attempt.status, 401, attempt.text);
  // The owner comes in without the second factor of the stranger.
  const entered = await logIn(mira);
  assert.equal(entered.status, 200, entered.text);
  const me = await server.request('GET', '/v1/auth/me', { token: entered.body.token });
  assert.deepEqual([me.body.has_password, me.body.email_verified], [false, true]);
});

test('no password is hashed for an account that cannot be taken without its own', async () => {
  const { server, logIn, issuer } = scene;
  const mira = person();
  await register(mira, true);
  const { challenge } = (await logIn(mira)).body;
  const makeUnknownHash = () => assert.fail('A password was hashed');
  const services = {
    database: server.database,
    settings: { issuer: issuer.url, group_roles: [] },
    accounts: { makeUnknownHash },
  } as unknown as LoginServices;
  const client = { ip: '10.0.0.1', user_agent: null, cookies: undefined, origin: undefined };
  await assert.rejects(
    confirmLink(services, { challenge, discard_password: true }, client),
    /was changed meanwhile/,
  );
});

test('an account that waits for its activation is joined, and active from then on', async () => {
  const { server, logIn } = scene;
  const mira = person();
  const { account_id, password } = await register(mira, false);
  await server.database.execute(sql`
    UPDATE accounts SET status = 'pending' WHERE id = ${account_id}`);
  const { challenge } = (await logIn(mira)).body;
  const joined = await link({ challenge, password });
  assert.equal(joined.status, 200, joined.text);
  assert.equal((await logIn(mira)).status, 200);
});

test('an account that an administrator has made is joined without a password, until its owner chooses one', async () => {
  const { server, logIn } = scene;
  const { token } = await server.makeAccount({ is_administrator: true });
  const make = async () => {
    const mira = person();
    const made = await server.request('POST', '/v1/admin/users', {
      token,
      body: { email: mira.email },
    });
    assert.equal(made.status, 201, made.text);
    return { mira, id: made.body.id as string, email: mira.email };
  };
  const { mira, id } = await make();
  assert.equal((await logIn(mira)).body.user.id, id);

  const other = await make();
  // A server of the previous release writes only this column.
  await server.database.execute(sql`
    UPDATE accounts SET password_hash = 'chosen' WHERE id = ${other.id}`);
  assert.equal((await logIn(other.mira)).status, 409);
});

test('an address that was given to another person opens no account until the old identity is forgotten', async () => {
  const { server, logIn } = scene;
  const leaver = person();
  const { user } = (await logIn(leaver)).body;
  const now = { ...person(), email: leaver.email };
  const refused = await logIn(now);
  assert.deepEqual([refused.status, refused.body.code], [409, undefined]);
  const env = { DATABASE_URL: server.database_url };
  const forgotten = await callCli(['forget-identity', leaver.email], env);
  assert.equal(forgotten.code, 0, forgotten.stderr);
  assert.match(forgotten.stdout, /can be joined with another identity/);
  assert.equal((await logIn(now)).body.user.id, user.id);
  const nothing = await callCli(['forget-identity', (await server.makeAccount()).email], env);
  assert.match(nothing.stdout, /has no identity/);
});
