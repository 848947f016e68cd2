import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
});
after(() => server.close());

const logIn = (email: string, password: string, address: string) =>
  server.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

test('the 31st failed login from one address in a minute gets 429, but other addresses do not', async () => {
  const account = await server.makeAccount();
  const from = '10.0.0.1';
  for (let index = 0; index < 30; index++) {
    assert.equal((await logIn(`someone${index}@studio.example`, 'wrong', from)).status, 401);
  }
  const limited = await logIn(account.email, account.password, from);
  assert.equal(limited.status, 429);
  assert.deepEqual(Object.keys(limited.body), ['error', 'statusCode', 'message']);
  assert.equal(limited.body.error, 'Too Many Requests');
  assert.equal(limited.body.statusCode, 429);
  assert.match(limited.body.message, /retry in 60 seconds/);
  assert.equal(limited.headers.get('x-ratelimit-limit'), '30');
  assert.equal(limited.headers.get('x-ratelimit-remaining'), '0');
  const wait = Number(limited.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60);
  assert.equal(limited.headers.get('x-ratelimit-reset'), String(wait));
  assert.equal((await logIn(account.email, account.password, '10.0.0.2')).status, 200);

  await server.database.execute(sql`
    UPDATE attempt_counts SET minute_started_at = minute_started_at - interval '1 minute'
    WHERE address = ${from}`);
  assert.equal((await logIn(account.email, account.password, from)).status, 200);
});

test('successful logins are not limited by address', async () => {
  const account = await server.makeAccount();
  const from = '10.0.0.3';
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => logIn(account.email, account.password, from)),
    );
    assert.ok(answers.every(({ status }) => status === 200));
  }
});
