import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAccount } from '../../../test/test-account.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { callCli } from '../../../test/run-cli.ts';
import { rotateJwtSecret } from '../../platform/auth/jwt-secrets.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeAuthenticator } from './test/authenticator.ts';
import { openFactorStage } from './test/factor-calls.ts';
import type { FactorStage } from './test/factor-calls.ts';

let stage: FactorStage;
before(async () => {
  stage = await openFactorStage();
});
after(() => stage.server.close());

const getFactors = async ({ token }: TestAccount) =>
  (await stage.server.request('GET', '/v1/auth/second-factors', { token })).body;

test('a code of the app completes its setup, and the owner gets a mail', async () => {
  const account = await stage.server.makeAccount();
  const { body } = await stage.change(account, '/totp');
  const uri = new URL(body.uri);
  assert.equal(uri.protocol, 'otpauth:');
  assert.equal(uri.searchParams.get('secret'), body.secret);
  assert.equal(uri.searchParams.get('issuer'), 'Overworld');
  assert.ok(decodeURIComponent(uri.pathname).endsWith(account.email));
  const wrong = await stage.change(account, '/totp/confirm', {
    challenge: body.challenge,
    code: 'abcdef',
  });
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error, /^code is wrong/);
  assert.equal((await stage.logIn(account)).status, 200, 'nothing counts until it is confirmed');
  await stage.setUpTotp(account);
  const factors = await getFactors(account);
  assert.ok(factors.totp.created_at);
  assert.equal(factors.totp.last_used_at, null);
  assert.equal(factors.recovery_codes_left, 10);
  const mail = await waitForMail(stage.server.data_dir, account.email);
  assert.match(mail.subject!, /authenticator app was added/);
});

test('a stolen token cannot change factors, and gets only five attempts at the password', async () => {
  const account = await stage.server.makeAccount();
  await stage.setUpTotp(account);
  const paths = ['/totp', '/totp/remove', '/passkeys/options', '/recovery-codes'];
  for (const path of paths) {
    const { status, body } = await stage.change(account, path, { password: 'guess' });
    assert.equal(status, 400);
    assert.equal(body.error, 'password is wrong');
  }
  await stage.change(account, '/totp', { password: 'guess' });
  const locked = await stage.change(account, '/totp/remove');
  assert.equal(locked.status, 403);
  assert.equal(locked.body.code, 'ACCOUNT_LOCKED');
  assert.ok((await getFactors(account)).totp);
});

test('adding the first factor ends the other sessions, which had no second step', async () => {
  const account = await stage.server.makeAccount();
  const other = await stage.logIn(account);
  const status = async (token: string) =>
    (await stage.server.request('GET', '/v1/auth/me', { token })).status;
  await stage.setUpTotp(account);
  assert.equal(await status(other.body.token), 401);
  const challenge = await stage.challenge(account);
  const { app } = await stage.setUpTotp(account);
  const third = await stage.finish({ challenge, code: app.code() });
  await stage.addPasskey(account);
  assert.equal(await status(third.body.token), 200, 'another factor ends none');
});

test('if the first factor is added during a login with only a password, the login opens no session', async () => {
  const account = await stage.server.makeAccount();
  const { database } = stage.server;
  let login: ReturnType<typeof stage.logIn>;
  await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM accounts WHERE id = ${account.account_id} FOR UPDATE`);
    login = stage.logIn(account);
    await waitForLock(database);
    await tx.execute(sql`
      INSERT INTO totp_factors (account_id, sealed_secret, last_step)
      VALUES (${account.account_id}, '', 0)`);
  });
  const { status, body } = await login!;
  assert.equal(status, 401);
  assert.equal(body.error, 'Two-factor login was set up meanwhile: log in again');
});

test('the time of the last login is the time of its second step', async () => {
  const account = await stage.server.makeAccount();
  const { app } = await stage.setUpTotp(account);
  const lastLogin = () =>
    stage.server.database.queryOne<{ last_login_at: string | null }>(sql`
      SELECT last_login_at FROM accounts WHERE id = ${account.account_id}`);
  const challenge = await stage.challenge(account);
  assert.equal((await lastLogin())!.last_login_at, null);
  await stage.finish({ challenge, code: app.code() });
  assert.ok((await lastLogin())!.last_login_at);
});

test('a second setup replaces the first app and keeps the recovery codes', async () => {
  const account = await stage.server.makeAccount();
  const first = await stage.setUpTotp(account);
  const second = await stage.setUpTotp(account);
  assert.equal(second.recovery_codes, null);
  const challenge = await stage.challenge(account);
  assert.equal((await stage.finish({ challenge, code: first.app.code() })).status, 401);
  assert.equal((await stage.finish({ challenge, code: second.app.code() })).status, 200);
  assert.equal((await getFactors(account)).recovery_codes_left, 10);
});

test("a challenge of one account's setup is refused for another account", async () => {
  const account = await stage.server.makeAccount();
  const stranger = await stage.server.makeAccount();
  const { body } = await stage.change(account, '/totp');
  const answer = await stage.change(stranger, '/totp/confirm', {
    challenge: body.challenge,
    code: '000000',
  });
  assert.equal(answer.status, 409);
  const begun = await stage.change(account, '/passkeys/options');
  const added = await stage.change(stranger, '/passkeys', {
    challenge: begun.body.challenge,
    name: 'Key',
    credential: makeAuthenticator(stage.origin).create(begun.body.options),
    password: undefined,
  });
  assert.equal(added.status, 409);
});

test('after the last factor is removed, the recovery codes are gone and the password is enough', async () => {
  const account = await stage.server.makeAccount();
  await stage.setUpTotp(account);
  assert.equal((await stage.change(account, '/totp/remove')).status, 204);
  assert.equal((await stage.change(account, '/totp/remove')).status, 404);
  const factors = await getFactors(account);
  assert.deepEqual(factors, {
    totp: null,
    passkeys: [],
    recovery_codes_left: 0,
    is_required: false,
  });
  assert.equal((await stage.logIn(account)).status, 200);
  await waitForMail(stage.server.data_dir, account.email, 2);
  const mails = await listMails(stage.server.data_dir, account.email);
  assert.match(mails[1]!.subject!, /was removed/);
});

test('an encrypted secret cannot be decrypted after it is copied to the row of another account', async () => {
  const [victim, thief] = [await stage.server.makeAccount(), await stage.server.makeAccount()];
  const { app } = await stage.setUpTotp(victim);
  await stage.setUpTotp(thief);
  await stage.server.database.execute(sql`
    UPDATE totp_factors SET sealed_secret = (
      SELECT sealed_secret FROM totp_factors WHERE account_id = ${victim.account_id})
    WHERE account_id = ${thief.account_id}`);
  const asked = await stage.logIn(thief);
  assert.deepEqual(asked.body.methods, ['recovery_code']);
  const { challenge } = asked.body;
  assert.equal((await stage.finish({ challenge, code: app.code() })).status, 401);
});

test('the command line removes the factors of an owner who has lost them', async () => {
  const account = await stage.server.makeAccount();
  await stage.setUpTotp(account);
  await stage.addPasskey(account);
  const env = { DATABASE_URL: stage.server.database_url };
  const done = await callCli(['reset-second-factor', account.email], env);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /logs in with the password alone now/);
  assert.equal((await stage.logIn(account)).status, 200);
  const again = await callCli(['reset-second-factor', account.email], env);
  assert.match(again.stdout, /has no second factor/);
});

// This test comes last. It replaces the secret in the database,
// but the server goes on with the secret that it has loaded.
test('a new secret for tokens does not affect authenticator apps', async () => {
  const account = await stage.server.makeAccount();
  const { app } = await stage.setUpTotp(account);
  await stage.server.database.transaction((tx) => rotateJwtSecret(tx, { end_sessions: false }));
  const challenge = await stage.challenge(account);
  assert.equal((await stage.finish({ challenge, code: app.code() })).status, 200);
});
