import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { rotateJwtSecret } from '../../../platform/auth/jwt-secrets.ts';
import { sql } from '../../../platform/database/sql.ts';

const register = (on: TestServer, name: string, setup_token?: unknown) =>
  on.request('POST', '/v1/auth/register', {
    body: { email: `${name}@studio.example`, password: 'a good password', setup_token },
  });

const listAccounts = (on: TestServer) =>
  on.database.query<{ email: string; is_administrator: boolean; status: string }>(sql`
    SELECT email, is_administrator, status FROM accounts
    ORDER BY is_administrator DESC, email`);

test('the first account without the setup token is not an administrator', async () => {
  await using server = await startTestServer();
  const stranger = await register(server, 'stranger');
  assert.equal(stranger.status, 201);
  assert.deepEqual(Object.keys(stranger.body), ['token', 'user', 'backendVersion']);
  const { token } = stranger.body;
  const me = await server.request('GET', '/v1/auth/me', { token });
  assert.equal(me.body.is_administrator, false);
  assert.equal((await server.request('GET', '/v1/admin/users', { token })).status, 403);
  assert.equal((await server.request('GET', '/v1/auth/options')).body.has_administrator, false);
});

test('a page of another site cannot register the first account while registration is closed', async () => {
  await using server = await startTestServer({ env: { REGISTRATION: 'closed' } });
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const body = { email: 'evil@evil.example', password: 'a good password' };
  const answer = await server.request('POST', '/v1/auth/register', { headers, body });
  assert.equal(answer.status, 403);
  assert.deepEqual(await listAccounts(server), []);
});

test('the setup token makes an active administrator, whatever the settings, and leaves an audit entry', async () => {
  await using server = await startTestServer({
    env: { REGISTRATION: 'closed', ACCOUNT_ACTIVATION: 'admin' },
  });
  const made = await register(server, 'mira', await server.findSetupToken());
  assert.equal(made.status, 201);
  const me = await server.request('GET', '/v1/auth/me', { token: made.body.token });
  assert.deepEqual([me.status, me.body.is_administrator], [200, true]);
  assert.equal(await server.findSetupToken(), null);
  assert.equal((await server.request('GET', '/v1/auth/options')).body.has_administrator, true);
  const entries = await server.database.query(sql`
    SELECT action, account_email, details FROM audit_log`);
  assert.deepEqual(entries, [
    {
      action: 'create_account',
      account_email: 'mira@studio.example',
      details: { status: 'active', is_administrator: true },
    },
  ]);
});

test('a wrong, empty or used setup token is refused and changes nothing', async () => {
  await using server = await startTestServer();
  const token = (await server.findSetupToken())!;
  const other = token.startsWith('A') ? 'B' : 'A';
  for (const wrong of ['x', `${other}${token.slice(1)}`, `${token}x`, 'é'.repeat(43)]) {
    const answer = await register(server, 'guess', wrong);
    assert.equal(answer.status, 403, wrong);
    assert.match(answer.body.error, /^The setup token is wrong: open the link/);
  }
  for (const bad of ['', 7, [token], 'x'.repeat(256)]) {
    const answer = await register(server, 'guess', bad);
    assert.equal(answer.status, 400, JSON.stringify(bad));
    assert.match(answer.body.error, /^setup_token must/);
  }
  assert.deepEqual(await listAccounts(server), []);

  assert.equal((await register(server, 'mira', token)).status, 201);
  for (const late of [token, 'x']) {
    const answer = await register(server, 'late', late);
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.body, {
      error: 'The setup token is used up: this installation has an administrator',
    });
  }
  assert.equal((await listAccounts(server)).length, 1);
});

test('a registration with the setup token and a taken address leaves the token valid', async () => {
  await using server = await startTestServer();
  const token = await server.findSetupToken();
  await register(server, 'taken');
  assert.equal((await register(server, 'taken', token)).status, 409);
  assert.equal((await register(server, 'mira', token)).status, 201);
  assert.deepEqual(
    (await listAccounts(server)).map(({ email, is_administrator }) => [email, is_administrator]),
    [
      ['mira@studio.example', true],
      ['taken@studio.example', false],
    ],
  );
});

test('exactly one of 12 parallel registrations with the setup token on two servers succeeds', async () => {
  await using first = await startTestServer();
  await using second = await startTestServer({ database_url: first.database_url });
  const token = await first.findSetupToken();
  assert.equal(await second.findSetupToken(), token, 'each server prints the same link');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      register(index % 2 ? first : second, `racer${index}`, token),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    201,
    ...Array.from({ length: 11 }, () => 403),
  ]);
  const accounts = await listAccounts(first);
  assert.deepEqual(
    accounts.map(({ is_administrator, status }) => ({ is_administrator, status })),
    [{ is_administrator: true, status: 'active' }],
  );
});

test('a new JWT secret changes the setup token at once, also on running servers', async () => {
  await using server = await startTestServer();
  const before = await server.findSetupToken();
  await server.database.transaction((tx) => rotateJwtSecret(tx, { end_sessions: false }));
  const after = await server.findSetupToken();
  assert.notEqual(after, before);
  assert.equal((await register(server, 'leaked', before)).status, 403);
  assert.equal((await register(server, 'mira', after)).status, 201);
});

test('with JWT_SECRET set, a setup token made with the previous secret is refused', async () => {
  await using old = await startTestServer({ env: { JWT_SECRET: 'o'.repeat(32) } });
  await using server = await startTestServer({
    database_url: old.database_url,
    env: { JWT_SECRET: 'n'.repeat(32), JWT_SECRET_PREVIOUS: 'o'.repeat(32) },
  });
  assert.equal((await register(server, 'old', await old.findSetupToken())).status, 403);
  assert.equal((await register(server, 'mira', await server.findSetupToken())).status, 201);
});
