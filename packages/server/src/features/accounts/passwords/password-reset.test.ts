import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestAccount, TestServer } from '../../../../test/harness.ts';
import { findLink, findToken, listMails, waitForMail } from '../../../../test/mailbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({
    env: { TRUST_PROXY: 'true', PUBLIC_URL: 'https://overworld.studio.example/' },
  });
});
after(() => server.close());

let lastAddress = 0;
const newAddress = () => `10.0.0.${++lastAddress}`;

const forget = (email: unknown, address = newAddress()) =>
  server.request('POST', '/v1/auth/forgot-password', {
    body: { email },
    headers: { 'x-forwarded-for': address },
  });
const reset = (token: unknown, password: unknown = 'a new password') =>
  server.request('POST', '/v1/auth/reset-password', { body: { token, password } });
const logIn = (email: string, password: string) =>
  server.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': newAddress() },
  });
/** Asks for a link, and returns the token from the mail. */
const getToken = async ({ email }: TestAccount, count = 1) => {
  await forget(email);
  return findToken(await waitForMail(server.data_dir, email, count));
};
/** Waits until every mail so far was sent or dropped. */
const waitForOutbox = () =>
  waitUntil('the outbox is empty', async () => {
    const rows = await server.database.query(sql`SELECT FROM mail_outbox LIMIT 1`);
    return rows.length === 0;
  });

test('POST /v1/auth/forgot-password sends a mail whose link resets the password', async () => {
  const account = await server.makeAccount();
  const asked = await forget(`  ${account.email.toUpperCase()} `);
  assert.equal(asked.status, 200);
  assert.deepEqual(Object.keys(asked.body), ['message']);

  const mail = await waitForMail(server.data_dir, account.email);
  assert.equal(mail.subject, 'Reset your Overworld password');
  const link = findLink(mail);
  assert.equal(link.origin + link.pathname, 'https://overworld.studio.example/reset-password');
  assert.ok(mail.html?.includes(`href="${link.href}"`));

  const answer = await reset(link.searchParams.get('token'));
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body), ['message']);
  assert.equal((await logIn(account.email, 'a new password')).status, 200);
  assert.equal((await logIn(account.email, account.password)).status, 401);
});

test('forgot-password gives every address the same answer, and mails no unknown address', async () => {
  const account = await server.makeAccount();
  const known = await forget(account.email);
  const unknown = await forget('nobody@studio.example');
  assert.equal(unknown.status, known.status);
  assert.equal(unknown.text, known.text);
  await waitForMail(server.data_dir, account.email);
  await waitForOutbox();
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
    const answer = await forget(email);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, expected);
  }
});

test('a reset ends all sessions and clears the lock', async () => {
  const account = await server.makeAccount();
  for (let failure = 0; failure < 5; failure++) await logIn(account.email, 'wrong');
  assert.equal((await logIn(account.email, account.password)).status, 403);
  await reset(await getToken(account));
  const me = await server.request('GET', '/v1/auth/me', { token: account.token });
  assert.equal(me.status, 401);
  assert.deepEqual(me.body, { error: 'Invalid token' });
  assert.equal((await logIn(account.email, 'a new password')).status, 200);
});

test('a reset token works once, even for 8 parallel requests', async () => {
  const account = await server.makeAccount();
  const token = await getToken(account);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => reset(token, `password number ${index}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const winner = answers.findIndex(({ status }) => status === 200);
  assert.ok(answers.every(({ status }, index) => index === winner || status === 400));
  assert.equal((await logIn(account.email, `password number ${winner}`)).status, 200);
  const again = await reset(token);
  assert.equal(again.status, 400);
  assert.deepEqual(again.body, { error: 'token is invalid or has expired' });
});

test('a reset and a change of the password void earlier links', async () => {
  const account = await server.makeAccount();
  const first = await getToken(account);
  const second = await getToken(account, 2);
  assert.equal((await reset(second)).status, 200);
  assert.equal((await reset(first)).status, 400);

  const third = await getToken(account, 3);
  const { body } = await logIn(account.email, 'a new password');
  const changed = await server.request('POST', '/v1/auth/change-password', {
    token: body.token,
    body: { current_password: 'a new password', new_password: 'another new one' },
  });
  assert.equal(changed.status, 200);
  assert.equal((await reset(third)).status, 400);
});

test('a reset token expires after an hour', async () => {
  const account = await server.makeAccount();
  const token = await getToken(account);
  const passMinutes = (minutes: number) =>
    server.database.execute(sql`
      UPDATE account_tokens SET expires_at = expires_at - ${minutes}::integer * interval '1 minute'
      WHERE account_id = ${account.account_id}`);
  await passMinutes(61);
  assert.deepEqual((await reset(token)).body, { error: 'token is invalid or has expired' });
  await passMinutes(-2);
  assert.equal((await reset(token)).status, 200);
});

test('bad tokens and passwords answer 400, and the token stays valid', async () => {
  const account = await server.makeAccount();
  const token = await getToken(account);
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
  assert.equal((await reset(token)).status, 200);
});

test('no table holds a token: only hashes are stored', async () => {
  const account = await server.makeAccount();
  const token = await getToken(account);
  const rows = await server.database.query<{ row: string }>(sql`
    SELECT account_tokens::text AS row FROM account_tokens
    UNION ALL SELECT mail_outbox::text FROM mail_outbox
    UNION ALL SELECT audit_log::text FROM audit_log`);
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ row }) => !row.includes(token)));
});

/** Sends parallel requests, and waits until no mail is under way. */
const askOften = async (count: number, makeHeaders: (index: number) => Record<string, string>) => {
  const account = await server.makeAccount();
  const ask = async (times: number, headersAt: typeof makeHeaders) => {
    const answers = await Promise.all(
      Array.from({ length: times }, (_, index) =>
        server.request('POST', '/v1/auth/forgot-password', {
          body: { email: account.email },
          headers: headersAt(index),
        }),
      ),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    await waitForOutbox();
    return (await listMails(server.data_dir, account.email)).length;
  };
  return { account, ask, sent: await ask(count, makeHeaders) };
};

test('one network gets an account at most 5 links a day, and another network still gets some', async () => {
  const from = { 'x-forwarded-for': newAddress() };
  const { account, ask, sent } = await askOften(9, () => from);
  assert.equal(sent, 5);
  const owner = { 'x-forwarded-for': newAddress() };
  assert.equal(await ask(1, () => owner), 6);
  await server.database.execute(sql`
    UPDATE account_tokens SET created_at = created_at - interval '1 day'
    WHERE account_id = ${account.account_id}`);
  assert.equal(await ask(9, () => from), 11);
});

test('a known browser still gets links when strangers have used up their share', async () => {
  const account = await server.makeAccount();
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email: account.email, password: account.password },
  });
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  await server.database.execute(sql`
    INSERT INTO account_tokens (token_hash, account_id, purpose, mail_id, asked_by, expires_at)
    SELECT 'made up ' || n, ${account.account_id}, 'reset_password', gen_random_uuid(),
           'network:10.9.0.' || n / 5, now() + interval '1 hour'
    FROM generate_series(1, 40) AS n`);
  const count = async () => {
    await waitForOutbox();
    return (await listMails(server.data_dir, account.email)).length;
  };
  const ask = (headers: Record<string, string>) =>
    server.request('POST', '/v1/auth/forgot-password', {
      body: { email: account.email },
      headers: { 'x-forwarded-for': newAddress(), ...headers },
    });
  await ask({});
  assert.equal(await count(), 0);
  for (let asked = 0; asked < 6; asked++) await ask({ cookie });
  assert.equal(await count(), 5);
});

test('30 of 40 parallel requests from one address are taken, and 10 get 429', async () => {
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => forget(`nobody${index}@studio.example`, from)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 30);
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 10);
  assert.equal(limited[0]?.body.error, 'Too Many Requests');
  assert.equal(limited[0]?.headers.get('x-ratelimit-limit'), '30');
});

test('logins, resets and changes of one account at the same time are answered without an error', async () => {
  const account = await server.makeAccount();
  const token = await getToken(account);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      if (index % 4 === 0) return reset(token, 'a new password');
      if (index % 4 === 1) return logIn(account.email, account.password);
      if (index % 4 === 2) return logIn(account.email, 'wrong');
      return server.request('POST', '/v1/auth/change-password', {
        token: account.token,
        body: { current_password: account.password, new_password: 'a changed password' },
      });
    }),
  );
  // A slow machine hashes fewer passwords than come within the deadline of their queue: 503.
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500 && status !== 503).map(({ body }) => body),
    [],
  );
});

test('30 of 40 requests with invented links from one address get 400, and 10 get 429', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const account = await server.makeAccount();
  const token = await getToken(account);
  const use = (path: string, body: object) => server.request('POST', path, { body, headers });
  const password = 'a new password';
  for (let count = 0; count < 30; count++) {
    const [path, body] =
      count % 2
        ? ['/v1/auth/activate', { token: 'made up' }]
        : ['/v1/auth/reset-password', { token: 'made up', password }];
    assert.equal((await use(path as string, body as object)).status, 400);
  }
  for (const good of ['made up', token]) {
    const limited = await use('/v1/auth/reset-password', { token: good, password });
    assert.equal(limited.status, 429);
    assert.match(limited.body.message, /retry in 60 seconds/);
  }
  assert.equal((await reset(token)).status, 200);
});
