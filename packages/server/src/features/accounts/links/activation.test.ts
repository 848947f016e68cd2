import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { findLink, findToken, listMails, waitForMail } from '../../../../test/mailbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ACCOUNT_ACTIVATION: 'email' } });
  await server.makeAccount();
});
after(() => server.close());

const password = 'a good password';
const register = async (email: string) => {
  const { status, body } = await server.request('POST', '/v1/auth/register', {
    body: { email, password },
  });
  assert.equal(status, 201);
  return body as { token: string; user: { id: string; email: string } };
};
const getMe = (token: string) => server.request('GET', '/v1/auth/me', { token });
const logIn = (email: string) =>
  server.request('POST', '/v1/auth/login', { body: { email, password } });
const activate = (token: unknown) =>
  server.request('POST', '/v1/auth/activate', { body: { token } });
const resend = (email: unknown) =>
  server.request('POST', '/v1/auth/resend-activation', { body: { email } });

test('with ACCOUNT_ACTIVATION=email an account is pending until its owner follows the link in the mail', async () => {
  const email = 'pending@studio.example';
  const { token } = await register(email);
  for (const answer of [await getMe(token), await logIn(email)]) {
    assert.equal(answer.status, 403);
    assert.equal(answer.body.code, 'ACCOUNT_PENDING');
    assert.equal(typeof answer.body.error, 'string');
  }
  const mail = await waitForMail(server.data_dir, email);
  assert.equal(mail.subject, 'Activate your Overworld account');
  assert.equal(findLink(mail).pathname, '/activate');
  assert.equal((await activate(findToken(mail))).status, 200);
  assert.equal((await getMe(token)).status, 200);
  assert.equal((await logIn(email)).status, 200);
  const again = await activate(findToken(mail));
  assert.equal(again.status, 400);
  assert.deepEqual(again.body, { error: 'token is invalid or has expired' });
});

test('an activation link works for 7 days and only once, even for 5 parallel requests', async () => {
  const email = 'slow@studio.example';
  const { user } = await register(email);
  const token = findToken(await waitForMail(server.data_dir, email));
  const passHours = (hours: number) =>
    server.database.execute(sql`
      UPDATE account_tokens SET expires_at = ${earlier(sql`expires_at`, sql`${hours}::integer * interval '1 hour'`)}
      WHERE account_id = ${user.id}`);
  await passHours(7 * 24 + 1);
  assert.equal((await activate(token)).status, 400);
  await passHours(-2);
  const answers = await Promise.all(Array.from({ length: 5 }, () => activate(token)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
});

test('invalid activation tokens and reset tokens are answered with 400', async () => {
  for (const [token, expected] of [
    [undefined, /^token is required$/],
    [null, /^token must be a string$/],
    [1, /^token must be a string$/],
    ['', /^token must not be empty$/],
    ['unknown', /^token is invalid or has expired$/],
  ] as const) {
    const answer = await activate(token);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
  const email = 'confused@studio.example';
  await register(email);
  const activation = findToken(await waitForMail(server.data_dir, email));
  await server.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const forReset = findToken(await waitForMail(server.data_dir, email, 2));
  assert.equal((await activate(forReset)).status, 400);
  const wrongUse = await server.request('POST', '/v1/auth/reset-password', {
    body: { token: activation, password },
  });
  assert.equal(wrongUse.status, 400);
});

test('resend-activation gives every address the same answer, and mails only pending accounts', async () => {
  const email = 'again@studio.example';
  await register(email);
  await waitForMail(server.data_dir, email);
  const active = await server.makeAccount();
  const answers = [
    await resend(email),
    await resend(active.email),
    await resend('nobody@studio.example'),
  ];
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text]),
    answers.map(() => [200, answers[0]!.text]),
  );
  const second = await waitForMail(server.data_dir, email, 2);
  await waitUntil('the outbox is empty', async () => {
    const rows = await server.database.query(sql`SELECT FROM mail_outbox LIMIT 1`);
    return rows.length === 0;
  });
  assert.deepEqual(await listMails(server.data_dir, active.email), []);
  assert.deepEqual(await listMails(server.data_dir, 'nobody@studio.example'), []);
  assert.equal((await activate(findToken(second))).status, 200);
  assert.equal((await resend('no address')).status, 400);
});

test('an account that an administrator has locked cannot activate itself', async () => {
  const email = 'locked@studio.example';
  const { user } = await register(email);
  const token = findToken(await waitForMail(server.data_dir, email));
  await server.database.execute(sql`UPDATE accounts SET status = 'locked' WHERE id = ${user.id}`);
  assert.equal((await activate(token)).status, 400);
  const login = await logIn(email);
  assert.equal(login.body.code, 'ACCOUNT_LOCKED');
});
