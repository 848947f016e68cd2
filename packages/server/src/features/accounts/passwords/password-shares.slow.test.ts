import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { listMails } from '../../../../test/mailbox.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeResetCalls, newAddress } from './test/reset-calls.ts';

let server: TestServer;
let calls: ReturnType<typeof makeResetCalls>;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
  calls = makeResetCalls(server);
});
after(() => server.close());

const ACCOUNTS = 60;
const LOGINS = 8;

test('sixty accounts on one address that keep changing passwords do not block other logins', async () => {
  const flood = await Promise.all(Array.from({ length: ACCOUNTS }, () => server.makeAccount()));
  const victim = await server.makeAccount({ is_administrator: true });
  let changes = 0;
  const stopped = new AbortController();
  const changeOn = async (account: TestAccount) => {
    let { token, password } = account;
    while (!stopped.signal.aborted) {
      const new_password = `${password.slice(0, 20)} ${changes}`;
      const { status, body } = await server.request('POST', '/v1/auth/change-password', {
        token,
        body: { current_password: password, new_password },
        headers: { 'x-forwarded-for': '192.0.2.1' },
      });
      // This request has waited for longer than the deadline.
      if (status === 503) continue;
      assert.equal(status, 200, body.error);
      ({ token } = body);
      password = new_password;
      changes++;
    }
  };
  const flooding = Promise.all(flood.map(changeOn));
  await waitUntil('passwords are changed', async () => changes >= 2);
  const changes_before = changes;
  for (let login = 0; login < LOGINS; login++) {
    const { status, body } = await server.request('POST', '/v1/auth/login', {
      body: { email: victim.email, password: victim.password },
      headers: { 'x-forwarded-for': '192.0.2.2' },
    });
    assert.equal(status, 200, body.error);
  }
  // Networks take turns. While one login waits, only the running password hashes end, and one or two more
  // begin.
  const overtaken = changes - changes_before;
  stopped.abort();
  await flooding;
  assert.ok(overtaken <= LOGINS * 8, `${overtaken} changes were made before ${LOGINS} logins`);
});

/** Makes an account and requests links for it in parallel, then waits until all mails are sent. */
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
    await calls.waitForOutbox();
    return (await listMails(server.data_dir, account.email)).length;
  };
  return { account, ask, sent: await ask(count, makeHeaders) };
};

test('one network gets 5 password links a day for an account, and another still gets some', async () => {
  const from = { 'x-forwarded-for': newAddress() };
  const { account, ask, sent } = await askOften(9, () => from);
  assert.equal(sent, 5);
  const owner = { 'x-forwarded-for': newAddress() };
  assert.equal(await ask(1, () => owner), 6);
  await server.database.execute(sql`
    UPDATE account_tokens SET created_at = ${earlier(sql`created_at`, sql`interval '1 day'`)}
    WHERE account_id = ${account.account_id}`);
  assert.equal(await ask(9, () => from), 11);
});

test('a known browser still gets password links when strangers have used up their share', async () => {
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
    await calls.waitForOutbox();
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

test('30 of 40 parallel requests from one address are accepted, and 10 get 429', async () => {
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => calls.forget(`nobody${index}@studio.example`, from)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 30);
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 10);
  assert.equal(limited[0]?.body.error, 'Too Many Requests');
  assert.equal(limited[0]?.headers.get('x-ratelimit-limit'), '30');
});

test('30 of 40 requests with invented links from one address get 400, and 10 get 429', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const account = await server.makeAccount();
  const token = await calls.getToken(account);
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
  assert.equal((await calls.reset(token)).status, 200);
});
