import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { readToken } from '../../../../test/mailbox.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer();
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const makeLink = (account_id: string, { token } = administrator) =>
  server.request('POST', `/v1/admin/users/${account_id}/password-reset-link`, { token });

test('a link to reset a password works once, replaces the previous link, and is recorded', async () => {
  const account = await server.makeAccount();
  const tokenOf = async () => {
    const { status, body } = await makeLink(account.account_id);
    assert.equal(status, 200);
    assert.ok(Date.parse(body.expires_at) - Date.now() <= 3_600_000);
    return readToken(new URL(body.link));
  };
  const reset = (token: string) =>
    server.request('POST', '/v1/auth/reset-password', {
      body: { token, password: 'a much better password' },
    });
  const [first, second] = [await tokenOf(), await tokenOf()];
  assert.equal((await reset(first)).status, 400);
  assert.equal((await reset(second)).status, 200);
  assert.equal((await reset(second)).status, 400);
  const rows = await server.database.query<{ action: string; account_email: string }>(sql`
    SELECT action, account_email FROM audit_log WHERE target = ${account.email} ORDER BY id`);
  assert.equal(rows[0]?.account_email, administrator.email);
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['make_reset_link', 'make_reset_link', 'reset_password'],
  );
  const refused = await makeLink(account.account_id, account);
  assert.ok(refused.status === 401 || refused.status === 403);
  assert.equal((await makeLink(randomUUID())).status, 404);
});
