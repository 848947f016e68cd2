import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestAccount, TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
});
after(() => server.close());

const ACCOUNTS = 60;
const LOGINS = 8;

test('sixty accounts of one address that keep changing their passwords do not block other logins', async () => {
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
      // Some requests wait for longer than the deadline.
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
  // Networks take turns: while one login waits, running hashes end, and one or two more begin.
  const overtaken = changes - changes_before;
  stopped.abort();
  await flooding;
  assert.ok(overtaken <= LOGINS * 8, `${overtaken} changes were made before ${LOGINS} logins`);
});
