import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findToken, waitForMailAbout } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { openFactorStage } from './test/factor-calls.ts';
import type { FactorStage } from './test/factor-calls.ts';

/** The subject of the mail with the link to reset a password. */
const RESET = /^Reset your Overworld password$/;

let stage: FactorStage;
before(async () => {
  stage = await openFactorStage();
});
after(() => stage.server.close());

const codesLeft = async (token: string) => {
  const { body } = await stage.server.request('GET', '/v1/auth/second-factors', { token });
  return body.recovery_codes_left;
};

test('a recovery code works once, in any spelling, and its owner gets a mail about the use', async () => {
  const account = await stage.server.makeAccount();
  const { recovery_codes } = await stage.setUpTotp(account);
  assert.equal(recovery_codes!.length, 10);
  assert.equal(new Set(recovery_codes).size, 10);
  const [code] = recovery_codes as [string];
  assert.match(code, /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/);
  const written = code.toLowerCase().replaceAll('-', ' ');
  const challenges = [await stage.challenge(account), await stage.challenge(account)];
  const answers = await Promise.all(
    challenges.map((challenge) => stage.finish({ challenge, recovery_code: written })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
  assert.equal(await codesLeft(account.token), 9);
  const entry = await stage.server.database.queryOne<{ details: object }>(sql`
    SELECT details FROM audit_log
    WHERE account_id = ${account.account_id} AND action = 'use_recovery_code'`);
  assert.deepEqual(entry!.details, { codes_left: 9 });
  await waitForMailAbout(stage.server.data_dir, account.email, /recovery code .* was used/);
});

test('new recovery codes replace the old ones, and making them requires the password', async () => {
  const account = await stage.server.makeAccount();
  const none = await stage.change(account, '/recovery-codes');
  assert.equal(none.status, 409);
  const { recovery_codes: old } = await stage.setUpTotp(account);
  const refused = await stage.change(account, '/recovery-codes', { password: 'not it' });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error, 'password is wrong');
  const { body } = await stage.change(account, '/recovery-codes');
  assert.equal(body.recovery_codes.length, 10);
  const challenge = await stage.challenge(account);
  const by = (recovery_code: string) => stage.finish({ challenge, recovery_code });
  assert.equal((await by(old![0]!)).status, 401);
  assert.equal((await by(body.recovery_codes[0])).status, 200);
});

test('the database holds neither recovery codes nor secrets of authenticator apps in readable form', async () => {
  const account = await stage.server.makeAccount();
  const { app, recovery_codes } = await stage.setUpTotp(account);
  for (const table of ['totp_factors', 'recovery_codes', 'second_factor_challenges', 'audit_log']) {
    const client = await stage.server.database.connect();
    const { rows } = await client.query(`SELECT row_to_json(t)::text AS text FROM ${table} t`);
    client.release();
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [
      app.secret,
      ...recovery_codes!,
      recovery_codes![0]!.replaceAll('-', ''),
    ]) {
      assert.ok(!stored.includes(secret), table);
    }
  }
});

test('a reset of the password keeps the second factor, and ends unfinished logins', async () => {
  const account = await stage.server.makeAccount();
  const { app } = await stage.setUpTotp(account);
  const challenge = await stage.challenge(account);
  await stage.server.request('POST', '/v1/auth/forgot-password', {
    body: { email: account.email },
  });
  const token = findToken(await waitForMailAbout(stage.server.data_dir, account.email, RESET));
  const password = 'another good password';
  const reset = await stage.server.request('POST', '/v1/auth/reset-password', {
    body: { token, password },
  });
  assert.equal(reset.status, 200);
  const late = await stage.finish({ challenge, code: app.code() });
  assert.equal(late.body.code, 'SECOND_FACTOR_EXPIRED');
  const asked = await stage.logIn(account, password);
  assert.equal(asked.body.code, 'SECOND_FACTOR_REQUIRED');
  const done = await stage.finish({ challenge: asked.body.challenge, code: app.code() });
  assert.equal(done.status, 200);
});

test('a reset of the password removes the second factors and access tokens of an address that nobody had verified', async () => {
  const account = await stage.server.makeAccount();
  const { email, account_id } = account;
  await stage.server.database.execute(sql`
    UPDATE accounts SET email_verified_at = NULL WHERE id = ${account_id}`);
  // A stranger has registered the address and adds second factors.
  await stage.setUpTotp(account);
  await stage.addPasskey(account);
  const { game_id } = await stage.server.makeGame();
  await stage.server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role) VALUES (${game_id}, ${account_id}, 'owner')`);
  const made = await stage.server.makeAccessToken(account_id, [game_id], 'owner');
  await stage.server.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const token = findToken(await waitForMailAbout(stage.server.data_dir, email, RESET));
  const password = 'another good password';
  const alerts = `/v1/games/${game_id}/alerts`;
  const statusOfMade = async () =>
    (await stage.server.request('GET', alerts, { token: made.token })).status;
  assert.equal(await statusOfMade(), 200);
  await stage.server.request('POST', '/v1/auth/reset-password', { body: { token, password } });
  assert.equal(await statusOfMade(), 401);
  assert.equal((await stage.logIn(account, password)).status, 200);
  const told = await waitForMailAbout(stage.server.data_dir, email, /was turned off/);
  assert.match(told.text!, /nobody had verified before/);
  const entries = await stage.server.database.query(sql`
    SELECT FROM audit_log WHERE action = 'reset_second_factors' AND target = ${email}`);
  assert.equal(entries.length, 1);
});

test('the second step of a login is refused if the account was locked after the first step', async () => {
  const account = await stage.server.makeAccount();
  const { app } = await stage.setUpTotp(account);
  const challenge = await stage.challenge(account);
  await stage.server.database.execute(sql`
    UPDATE accounts SET status = 'locked' WHERE id = ${account.account_id}`);
  const { status, body } = await stage.finish({ challenge, code: app.code() });
  assert.equal(status, 403);
  assert.equal(body.code, 'ACCOUNT_LOCKED');
});
