import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findToken, waitForMailAbout } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openFactorStage } from '../test/factor-calls.ts';
import type { FactorStage } from '../test/factor-calls.ts';

let stage: FactorStage;
before(async () => {
  stage = await openFactorStage();
});
after(() => stage.server.close());

const makeAccountWithApp = async () => {
  const account = await stage.server.makeAccount();
  return { account, ...(await stage.setUpTotp(account)) };
};

test('with an authenticator app, a login needs a code of the app in addition to the password', async () => {
  const { account, app } = await makeAccountWithApp();
  const asked = await stage.logIn(account);
  assert.equal(asked.status, 401);
  assert.equal(asked.body.code, 'SECOND_FACTOR_REQUIRED');
  assert.deepEqual(asked.body.methods, ['totp', 'recovery_code']);
  assert.equal(asked.body.token, undefined);
  const code = app.code();
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  const { status, body } = await stage.finish({ challenge: asked.body.challenge, code: spaced });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['token', 'user', 'backendVersion']);
  const me = await stage.server.request('GET', '/v1/auth/me', { token: body.token });
  assert.equal(me.body.email, account.email);
});

test('a wrong password gets the same answer with and without a second factor', async () => {
  const { account } = await makeAccountWithApp();
  const { status, body } = await stage.logIn(account, 'not the password');
  assert.equal(status, 401);
  assert.deepEqual(body, { error: 'Invalid email or password' });
});

test('a code works once, and an older code is refused after a newer one', async () => {
  const { account, app } = await makeAccountWithApp();
  const logInBy = async (code: string) =>
    stage.finish({ challenge: await stage.challenge(account), code });
  const code = app.code();
  assert.equal((await logInBy(code)).status, 200);
  const again = await logInBy(code);
  assert.equal(again.status, 401);
  assert.equal(again.body.code, 'SECOND_FACTOR_WRONG');
  assert.equal((await logInBy(app.code(1))).status, 200);
  assert.equal((await logInBy(app.code())).status, 401);
});

test('of several concurrent logins with one code on two servers, exactly one succeeds', async () => {
  const { account, app } = await makeAccountWithApp();
  const other = await openFactorStage({}, stage.server.database_url);
  const challenges = [];
  for (let index = 0; index < 4; index++) challenges.push(await stage.challenge(account));
  // The setup of the app has moved the clock of the first server by one step. Move the other clock too.
  other.passSteps(1);
  const code = app.code();
  const answers = await Promise.all(
    challenges.map((challenge, index) => (index % 2 ? other : stage).finish({ challenge, code })),
  );
  await other.server.close();
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('codes of the neighbouring half minutes are accepted, and older and later codes are not', async () => {
  for (const [steps, expected] of [
    [-2, 401],
    [-1, 200],
    [1, 200],
    [2, 401],
  ] as const) {
    const { account, app } = await makeAccountWithApp();
    stage.passSteps(3);
    const challenge = await stage.challenge(account);
    const { status } = await stage.finish({ challenge, code: app.code(steps) });
    assert.equal(status, expected, `${steps} steps`);
  }
});

test('a login challenge works once, allows five wrong answers, and expires', async () => {
  const { account, app, recovery_codes } = await makeAccountWithApp();
  const isExpired = async (challenge: string, step: object) => {
    const { status, body } = await stage.finish({ challenge, ...step });
    assert.equal(status, 401);
    assert.equal(body.code, 'SECOND_FACTOR_EXPIRED');
  };
  const used = await stage.challenge(account);
  assert.equal((await stage.finish({ challenge: used, code: app.code() })).status, 200);
  await isExpired(used, { code: app.code(1) });

  const tried = await stage.challenge(account);
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => stage.finish({ challenge: tried, recovery_code: 'wrong' })),
  );
  const codes = tries.map(({ body }) => body.code);
  assert.equal(codes.filter((code) => code === 'SECOND_FACTOR_WRONG').length, 5);
  await isExpired(tried, { recovery_code: recovery_codes![0] });

  const old = await stage.challenge(account);
  await stage.server.database.execute(sql`
    UPDATE second_factor_challenges SET expires_at = now() WHERE account_id = ${account.account_id}`);
  await isExpired(old, { code: app.code(1) });
  await isExpired('made-up', { code: app.code(1) });
});

test('five wrong codes lock logins by code, a sixth one locks them for longer, and recovery codes still work', async () => {
  const { account, app, recovery_codes } = await makeAccountWithApp();
  const { account_id, email } = account;
  const tryCode = async (code: string) =>
    stage.finish({ challenge: await stage.challenge(account), code });
  const challenges = await Promise.all(Array.from({ length: 12 }, () => stage.challenge(account)));
  const guesses = await Promise.all(
    challenges.map((challenge) => stage.finish({ challenge, code: app.wrongCode() })),
  );
  const count = (code: string) => guesses.filter(({ body }) => body.code === code).length;
  assert.equal(count('SECOND_FACTOR_WRONG'), 5);
  assert.equal(count('SECOND_FACTOR_LOCKED'), 7);
  const mail = await waitForMailAbout(stage.server.data_dir, email, /^Wrong codes/);
  assert.match(mail.text!, /knows your password/);

  const minutesLocked = async () => {
    const { body } = await tryCode(app.code());
    assert.equal(body.code, 'SECOND_FACTOR_LOCKED');
    return Math.round((Date.parse(body.locked_until) - Date.now()) / 60_000);
  };
  const waitOut = () =>
    stage.server.database.execute(sql`
      UPDATE totp_failures SET locked_until = now() WHERE account_id = ${account_id}`);
  assert.equal(await minutesLocked(), 15);
  await waitOut();
  assert.equal((await tryCode(app.wrongCode())).body.code, 'SECOND_FACTOR_WRONG');
  assert.equal(await minutesLocked(), 30);

  const challenge = await stage.challenge(account);
  const rescued = await stage.finish({ challenge, recovery_code: recovery_codes![0] });
  assert.equal(rescued.status, 200);
  assert.equal((await tryCode(app.code())).status, 200, 'a success forgets the failures');
});

test('somebody without the password cannot use up the attempts of the owner', async () => {
  const { account, app } = await makeAccountWithApp();
  for (let attempt = 0; attempt < 4; attempt++) await stage.logIn(account, 'guess');
  await Promise.all(
    Array.from({ length: 20 }, () => stage.finish({ challenge: 'made-up', code: app.wrongCode() })),
  );
  const challenge = await stage.challenge(account);
  assert.equal((await stage.finish({ challenge, code: app.code() })).status, 200);
});

test('accepting an invitation also asks for the second factor', async () => {
  const { account, app } = await makeAccountWithApp();
  const { game_id } = await stage.server.makeGame();
  const owner = await stage.server.makeAccount({ game_id });
  await stage.server.request('POST', `/v1/games/${game_id}/invitations`, {
    token: owner.token,
    body: { email: account.email, role: 'viewer' },
  });
  const mail = await waitForMailAbout(stage.server.data_dir, account.email, /invit/i);
  const token = findToken(mail);
  const asked = await stage.server.request('POST', '/v1/auth/accept-invitation', {
    body: { token, password: account.password },
  });
  assert.equal(asked.status, 401);
  assert.equal(asked.body.code, 'SECOND_FACTOR_REQUIRED');
  const { challenge } = asked.body;
  const { body } = await stage.finish({ challenge, code: app.code() });
  const path = `/v1/invitations/${token}/accept`;
  const joined = await stage.server.request('POST', path, { token: body.token });
  assert.equal(joined.body.game_id, game_id);
});

test('the second step of a login needs exactly one method, and refuses challenges that have another purpose', async () => {
  const { account, app } = await makeAccountWithApp();
  const challenge = await stage.challenge(account);
  for (const step of [{}, { code: app.code(), recovery_code: 'x' }]) {
    const { status, body } = await stage.finish({ challenge, ...step });
    assert.equal(status, 400);
    assert.match(body.error, /one of code, recovery_code and passkey/);
  }
  const setup = await stage.change(account, '/totp');
  const { body } = await stage.finish({ challenge: setup.body.challenge, code: app.code() });
  assert.equal(body.code, 'SECOND_FACTOR_EXPIRED');
  const swapped = await stage.change(account, '/totp/confirm', { challenge, code: app.code() });
  assert.equal(swapped.status, 409);
});
