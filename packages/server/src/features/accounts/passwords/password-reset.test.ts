import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { findLink, listMails, readToken, waitForMail } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeResetCalls } from './test/reset-calls.ts';

let server: TestServer;
let calls: ReturnType<typeof makeResetCalls>;
before(async () => {
  server = await startTestServer({
    env: { TRUST_PROXY: 'true', PUBLIC_URL: 'https://overworld.studio.example/' },
  });
  calls = makeResetCalls(server);
});
after(() => server.close());

test('POST /v1/auth/forgot-password sends a mail whose link resets the password', async () => {
  const account = await server.makeAccount();
  const asked = await calls.forget(`  ${account.email.toUpperCase()} `);
  assert.equal(asked.status, 200);
  assert.deepEqual(Object.keys(asked.body), ['message']);

  const mail = await waitForMail(server.data_dir, account.email);
  assert.equal(mail.subject, 'Reset your Overworld password');
  const link = findLink(mail);
  assert.equal(link.origin + link.pathname, 'https://overworld.studio.example/reset-password');
  assert.ok(mail.html?.includes(`href="${link.href}"`));

  const answer = await calls.reset(readToken(link));
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body), ['message']);
  assert.equal((await calls.logIn(account.email, 'a new password')).status, 200);
  assert.equal((await calls.logIn(account.email, account.password)).status, 401);
});

test('forgot-password gives every address the same answer, and sends no mail to unknown addresses', async () => {
  const account = await server.makeAccount();
  const known = await calls.forget(account.email);
  const unknown = await calls.forget('nobody@studio.example');
  assert.equal(unknown.status, known.status);
  assert.equal(unknown.text, known.text);
  await waitForMail(server.data_dir, account.email);
  await calls.waitForOutbox();
  assert.deepEqual(await listMails(server.data_dir, 'nobody@studio.example'), []);
});

test('forgot-password answers 400 to an invalid address', async () => {
  for (const [email, expected] of [
    [undefined, /^email is required$/],
    [null, /^email must be a string$/],
    [5, /^email must be a string$/],
    ['', /^email must not be empty$/],
    ['nobody', /^email must be a valid e-mail address$/],
    ['a@b.example\r\nBcc: c@d.example', /^email must be a valid e-mail address$/],
    ['a@b.example, c@d.example', /^email must be a valid e-mail address$/],
    ['a\u0000@b.example', /^email must not contain \\u0000$/],
    [`${'x'.repeat(255)}@b.example`, /^email must have at most 254 characters$/],
  ] as const) {
    const answer = await calls.forget(email);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
});

test('a reset ends all sessions and clears the lock', async () => {
  const account = await server.makeAccount();
  for (let failure = 0; failure < 5; failure++) await calls.logIn(account.email, 'wrong');
  assert.equal((await calls.logIn(account.email, account.password)).status, 403);
  await calls.reset(await calls.getToken(account));
  const me = await server.request('GET', '/v1/auth/me', { token: account.token });
  assert.equal(me.status, 401);
  assert.deepEqual(me.body, { error: 'Invalid token' });
  assert.equal((await calls.logIn(account.email, 'a new password')).status, 200);
});

test('a reset token works once, even for 8 parallel requests', async () => {
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => calls.reset(token, `password number ${index}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const winner = answers.findIndex(({ status }) => status === 200);
  assert.ok(answers.every(({ status }, index) => index === winner || status === 400));
  assert.equal((await calls.logIn(account.email, `password number ${winner}`)).status, 200);
  const again = await calls.reset(token);
  assert.equal(again.status, 400);
  assert.deepEqual(again.body, { error: 'token is invalid or has expired' });
});

test('after a reset or a change of the password, earlier links are invalid', async () => {
  const account = await server.makeAccount();
  const first = await calls.getToken(account);
  const second = await calls.getToken(account, 2);
  assert.equal((await calls.reset(second)).status, 200);
  assert.equal((await calls.reset(first)).status, 400);

  const third = await calls.getToken(account, 3);
  const { body } = await calls.logIn(account.email, 'a new password');
  const changed = await server.request('POST', '/v1/auth/change-password', {
    token: body.token,
    body: { current_password: 'a new password', new_password: 'another new one' },
  });
  assert.equal(changed.status, 200);
  assert.equal((await calls.reset(third)).status, 400);
});

test('a reset token expires after an hour', async () => {
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
  const passMinutes = (minutes: number) =>
    server.database.execute(sql`
      UPDATE account_tokens SET expires_at = ${earlier(sql`expires_at`, sql`${minutes}::integer * interval '1 minute'`)}
      WHERE account_id = ${account.account_id}`);
  await passMinutes(61);
  assert.deepEqual((await calls.reset(token)).body, { error: 'token is invalid or has expired' });
  await passMinutes(-2);
  assert.equal((await calls.reset(token)).status, 200);
});

test('invalid tokens and passwords are answered with 400, and the right token stays valid', async () => {
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
  for (const [given, password, expected] of [
    [undefined, 'a new password', /^token is required$/],
    [null, 'a new password', /^token must be a string$/],
    [['x'], 'a new password', /^token must be a string$/],
    ['', 'a new password', /^token must not be empty$/],
    ['x'.repeat(256), 'a new password', /^token must have at most 255 characters$/],
    [`${token}x`, 'a new password', /^token is invalid or has expired$/],
    [`' OR 1=1 --`, 'a new password', /^token is invalid or has expired$/],
    [token, undefined, /^password is required$/],
    [token, null, /^password must be a string$/],
    [token, '1234567', /^password must have at least 8 characters$/],
    [token, 'x'.repeat(1025), /^password must have at most 1024 characters$/],
  ] as const) {
    const answer = await server.request('POST', '/v1/auth/reset-password', {
      body: { token: given, password },
    });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
  assert.equal((await calls.reset(token)).status, 200);
});

test('only hashes of tokens are stored', async () => {
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
  const rows = await server.database.query<{ row: string }>(sql`
    SELECT account_tokens::text AS row FROM account_tokens
    UNION ALL SELECT mail_outbox::text FROM mail_outbox
    UNION ALL SELECT audit_log::text FROM audit_log`);
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ row }) => !row.includes(token)));
});

test('parallel logins, resets and password changes of one account never get a 5xx', async () => {
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      if (index % 4 === 0) return calls.reset(token, 'a new password');
      if (index % 4 === 1) return calls.logIn(account.email, account.password);
      if (index % 4 === 2) return calls.logIn(account.email, 'wrong');
      return server.request('POST', '/v1/auth/change-password', {
        token: account.token,
        body: { current_password: account.password, new_password: 'a changed password' },
      });
    }),
  );
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500).map(({ body }) => body),
    [],
  );
});
