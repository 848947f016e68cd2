import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MAX_SESSIONS } from '@overworld/contract/accounts/limits';
import { createSessionUses } from '../../../platform/auth/session-uses.ts';
import { sql } from '../../../platform/database/sql.ts';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { deleteOldRecords } from '../housekeeping.ts';
import { nameBrowser } from './browsers.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const INVALID = { error: 'Invalid token' };

let server: TestServer;
/** Another server on the same database. */
let second: TestServer;
before(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: 'true' } });
  second = await startTestServer({ database_url: server.database_url });
});
after(async () => {
  await second.close();
  await server.close();
});

const logIn = async ({ email, password }: TestAccount, headers: Record<string, string> = {}) => {
  const answer = await server.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.token as string;
};
const list = async (token: string) =>
  (await server.request('GET', '/v1/auth/sessions', { token })).body.sessions;
const getMe = (token: string, on = server) => on.request('GET', '/v1/auth/me', { token });
const endSession = (token: string, id: string) =>
  server.request('DELETE', `/v1/auth/sessions/${id}`, { token });

/** Asserts that every server refuses the token as invalid, without a reason. */
async function assertEnded(token: string) {
  for (const node of [server, second]) {
    const { status, body } = await getMe(token, node);
    assert.deepEqual([status, body], [401, INVALID]);
  }
}
async function assertOpen(token: string) {
  for (const node of [server, second]) assert.equal((await getMe(token, node)).status, 200);
}

test("sessions are listed with browser and address, the caller's own first", async () => {
  const account = await server.makeAccount();
  const token = await logIn(account, { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' });
  const [own, other] = await list(token);
  assert.equal(own.browser, 'Firefox on Linux');
  assert.equal(own.address, '203.0.113.7');
  assert.equal(own.is_current, true);
  assert.equal(Date.parse(own.expires_at) - Date.parse(own.created_at), 7 * 86_400_000);
  assert.deepEqual(
    [other.id, other.browser, other.address, other.is_current],
    [account.session_id, 'Unknown browser', null, false],
  );
});

test('registering opens a session, and changing the password opens a new one', async () => {
  const body = { email: 'new@studio.example', password: 'correct horse battery' };
  const headers = { 'user-agent': FIREFOX };
  const registered = await server.request('POST', '/v1/auth/register', { body, headers });
  assert.equal((await list(registered.body.token)).length, 1);
  const changed = await server.request('POST', '/v1/auth/change-password', {
    token: registered.body.token,
    body: { current_password: body.password, new_password: 'a much better password' },
    headers,
  });
  const sessions = await list(changed.body.token);
  assert.deepEqual(
    sessions.map(({ browser }: { browser: string }) => browser),
    ['Firefox on Linux'],
  );
  await assertEnded(registered.body.token);
});

test('a logout ends only its own session, on every server', async () => {
  const account = await server.makeAccount();
  const token = await logIn(account);
  await assertOpen(token);
  assert.equal((await server.request('POST', '/v1/auth/logout', { token })).status, 204);
  await assertEnded(token);
  await assertOpen(account.token);
  const again = await server.request('POST', '/v1/auth/logout', { token });
  assert.deepEqual([again.status, again.body], [401, INVALID]);
});

test('a session that another session ends is refused at once on every server', async () => {
  const account = await server.makeAccount();
  const [token, stays] = [await logIn(account), await logIn(account)];
  assert.equal((await endSession(token, account.session_id)).status, 204);
  await assertEnded(account.token);
  for (const open of [token, stays]) await assertOpen(open);
  const entries = await server.database.query<{ action: string; target: string }>(sql`
    SELECT action, target FROM audit_log WHERE account_id = ${account.account_id}`);
  assert.deepEqual(entries, [{ action: 'end_session', target: account.session_id }]);
});

test('DELETE /v1/auth/sessions ends all sessions except that of the caller', async () => {
  const account = await server.makeAccount();
  const tokens = [await logIn(account), await logIn(account)];
  const { status } = await server.request('DELETE', '/v1/auth/sessions', { token: tokens[0] });
  assert.equal(status, 204);
  await assertOpen(tokens[0]!);
  for (const ended of [account.token, tokens[1]!]) await assertEnded(ended);
});

test('a session of another account is not found, and does not end', async () => {
  const [account, stranger] = [await server.makeAccount(), await server.makeAccount()];
  for (const id of [account.session_id, 'no uuid', '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42']) {
    const { status, body } = await endSession(stranger.token, id);
    assert.deepEqual([status, body], [404, { error: 'Session not found' }]);
  }
  assert.equal(
    (await server.request('DELETE', '/v1/auth/sessions', { token: stranger.token })).status,
    204,
  );
  await assertOpen(account.token);
});

test('sessions that end each other during logins never get a 5xx', async () => {
  const account = await server.makeAccount();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => logIn(account)));
  const answers = await Promise.all(
    tokens.map((token, index) =>
      index % 2
        ? server.request('DELETE', '/v1/auth/sessions', { token })
        : server.request('POST', '/v1/auth/login', {
            body: { email: account.email, password: account.password },
          }),
    ),
  );
  assert.ok(answers.every(({ status }) => [200, 204, 401].includes(status)));
});

test('a session past the maximum ends the session that was unused for longest', async () => {
  const account = await server.makeAccount();
  await server.database.execute(sql`
    INSERT INTO account_sessions (account_id, last_used_at, expires_at)
    SELECT ${account.account_id}, now() - n * interval '1 minute', now() + interval '1 day'
    FROM generate_series(1, ${MAX_SESSIONS - 1}::integer) AS n`);
  const tokens = await Promise.all(Array.from({ length: 5 }, () => logIn(account)));
  const sessions = await list(tokens[0]!);
  assert.equal(sessions.length, MAX_SESSIONS);
  for (const token of [account.token, ...tokens]) await assertOpen(token);
});

test('the last use of a session is stored at most once a minute, with the address', async () => {
  const account = await server.makeAccount();
  const readUse = async () =>
    (await server.database.queryOne<{ address: string | null; is_recent: boolean }>(sql`
      SELECT address, last_used_at > now() - interval '10 seconds' AS is_recent
      FROM account_sessions WHERE id = ${account.session_id}`))!;
  const passSeconds = (seconds: number) =>
    server.database.execute(sql`
      UPDATE account_sessions
      SET last_used_at = ${earlier(sql`last_used_at`, sql`${seconds}::integer * interval '1 second'`)}
      WHERE id = ${account.session_id}`);
  const uses = createSessionUses(server.database);
  await uses.flush();
  uses.note(account.session_id, '203.0.113.9');
  await passSeconds(100);
  await uses.flush();
  assert.deepEqual(await readUse(), { address: '203.0.113.9', is_recent: true });

  // A server that closes stores the uses that it knows, but for each session at most one a minute.
  const use = async (ip: string) => {
    const env = { TRUST_PROXY: 'true' };
    await using node = await startTestServer({ database_url: server.database_url, env });
    const headers = { 'x-forwarded-for': ip };
    await node.request('GET', '/v1/auth/me', { token: account.token, headers });
  };
  await use('203.0.113.10');
  assert.equal((await readUse()).address, '203.0.113.9');
  await passSeconds(61);
  await use('203.0.113.10');
  assert.deepEqual(await readUse(), { address: '203.0.113.10', is_recent: true });
});

test('a token of the previous release, without a session id, is valid until its session ends', async () => {
  const account = await server.makeAccount();
  await server.database.execute(sql`
    UPDATE account_sessions SET id = account_id WHERE id = ${account.session_id}`);
  const [header, payload] = account.token.split('.');
  const { session_id: _, ...claims } = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  const { value: secret } = (await server.database.queryOne<{ value: string }>(
    sql`SELECT value FROM installation WHERE name = 'jwt_secret'`,
  ))!;
  const old_payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const signature = createHmac('sha256', secret)
    .update(`${header}.${old_payload}`)
    .digest('base64url');
  const token = `${header}.${old_payload}.${signature}`;
  await assertOpen(token);
  await assertEnded(account.token);
  await server.request('DELETE', '/v1/auth/sessions', { token: await logIn(account) });
  await assertEnded(token);
});

test('expired sessions are deleted', async () => {
  const account = await server.makeAccount();
  const token = await logIn(account);
  await server.database.execute(sql`
    UPDATE account_sessions SET expires_at = now() - interval '1 second'
    WHERE id = ${account.session_id}`);
  assert.equal((await list(token)).length, 1);
  await deleteOldRecords(server.database);
  const rows = await server.database.query(
    sql`SELECT FROM account_sessions WHERE account_id = ${account.account_id}`,
  );
  assert.equal(rows.length, 1);
});

test('user agents get readable names', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
  for (const [user_agent, name] of [
    [FIREFOX, 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`,
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['<script>alert(1)</script>', 'Unknown browser'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
  ] as const) {
    assert.equal(nameBrowser(user_agent), name);
  }
});
