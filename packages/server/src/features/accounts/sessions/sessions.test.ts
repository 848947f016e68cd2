import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAccount } from '../../../../test/test-account.ts';
import { sql } from '../../../platform/database/sql.ts';

const SECRET = 'a secret of the test that is long enough';
const STRANGE_ID = '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42';
const DAY_MS = 24 * 3600 * 1000;

let now = new Date();
let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { JWT_SECRET: SECRET }, clock: () => now });
});
after(() => server.close());

const getMe = (authorization?: string) =>
  server.request('GET', '/v1/auth/me', { headers: authorization ? { authorization } : {} });

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const sign = (text: string, secret: string, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('base64url');

/** Makes a token that is signed with the server's own secret. */
const own = ({ account_id, session_id }: TestAccount, changed: object) =>
  new SignJWT({ generation: 1, session_id, ...changed })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(account_id)
    .sign(new TextEncoder().encode(SECRET));

test('GET /v1/auth/me answers the account with its games, in the order of names, and its roles', async () => {
  const account = await server.makeAccount({ is_administrator: true });
  const games = [await server.makeGame(), await server.makeGame(), await server.makeGame()];
  const roles = ['viewer', 'owner'] as const;
  for (const [index, role] of roles.entries()) {
    await server.database.execute(sql`
      UPDATE games SET name = ${['b', 'A'][index]!} WHERE id = ${games[index]!.game_id}`);
    await server.database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      VALUES (${games[index]!.game_id}, ${account.account_id}, ${role})`);
  }
  const { status, body, headers } = await getMe(`Bearer ${account.token}`);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(body, {
    id: account.account_id,
    email: account.email,
    is_administrator: true,
    must_set_up_second_factor: false,
    email_verified: true,
    has_password: true,
    created_at: body.created_at,
    memberships: [
      { game_id: games[1]!.game_id, game_name: 'A', role: 'owner' },
      { game_id: games[0]!.game_id, game_name: 'b', role: 'viewer' },
    ],
  });
});

test('a JWT is valid for 7 days, and is then answered with 401 `Token expired`', async () => {
  const account = await server.makeAccount();
  const login = await server.request('POST', '/v1/auth/login', {
    body: { email: account.email, password: account.password },
  });
  const bearer = `Bearer ${login.body.token}`;
  const start = now;
  try {
    now = new Date(start.getTime() + 7 * DAY_MS - 5_000);
    assert.equal((await getMe(bearer)).status, 200);
    now = new Date(start.getTime() + 7 * DAY_MS + 5_000);
    const expired = await getMe(bearer);
    assert.equal(expired.status, 401);
    assert.deepEqual(expired.body, { error: 'Token expired' });
  } finally {
    now = start;
  }
});

test('without a header a dashboard route answers 401 `Missing Authorization header`', async () => {
  const { status, body } = await getMe();
  assert.equal(status, 401);
  assert.deepEqual(body, { error: 'Missing Authorization header' });
});

test('tampered, unsigned, foreign and malformed tokens answer 401 `Invalid token`', async () => {
  const account = await server.makeAccount();
  const [header, payload, signature] = account.token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const other = await server.makeAccount();
  const forged = base64url({ ...claims, sub: other.account_id });
  const hs512 = `${base64url({ alg: 'HS512' })}.${payload}`;
  const soon = Math.floor(now.getTime() / 1000) + 60;

  for (const authorization of [
    `Bearer ${header}.${forged}.${signature}`,
    `Bearer ${header}.${payload}.${signature.slice(0, -2)}`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${base64url({ alg: 'none' })}.${forged}.`,
    `Bearer ${base64url({ alg: 'none' })}.${payload}.${signature}`,
    `Bearer ${header}.${payload}.${sign(`${header}.${payload}`, 'another secret')}`,
    `Bearer ${hs512}.${sign(hs512, SECRET, 'sha512')}`,
    `Bearer ${await own(account, {})}`,
    `Bearer ${await own({ ...account, account_id: 'no uuid' }, { exp: soon })}`,
    `Bearer ${await own(account, { exp: soon, generation: '1' })}`,
    `Bearer ${await own(account, { exp: soon, generation: 2 })}`,
    `Bearer ${await own(account, { exp: soon, session_id: 5 })}`,
    `Bearer ${await own(account, { exp: soon, session_id: 'no uuid' })}`,
    `Bearer ${await own(account, { exp: soon, session_id: STRANGE_ID })}`,
    `Bearer ${await own(account, { exp: soon, session_id: other.session_id })}`,
    `Bearer ${await own(account, { exp: soon, session_id: undefined })}`,
    `Bearer ${await own({ ...account, account_id: STRANGE_ID }, { exp: soon })}`,
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    `Bearer ${'x'.repeat(8000)}`,
    `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}`,
    account.token,
  ]) {
    const { status, body } = await getMe(authorization);
    assert.equal(status, 401, authorization);
    assert.deepEqual(body, { error: 'Invalid token' }, authorization);
  }
  assert.equal((await getMe(`Bearer ${await own(account, { exp: soon })}`)).status, 200);
});

test('POST /v1/auth/change-password ends all sessions and answers a new token', async () => {
  const account = await server.makeAccount();
  const change = (body: object, token = account.token) =>
    server.request('POST', '/v1/auth/change-password', { token, body });
  const wrong = await change({ current_password: 'wrong', new_password: 'a new password' });
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body, { error: 'current_password is wrong' });
  const short = await change({ current_password: account.password, new_password: '1234567' });
  assert.equal(short.status, 400);
  assert.deepEqual(short.body, { error: 'new_password must have at least 8 characters' });
  assert.equal((await getMe(`Bearer ${account.token}`)).status, 200);

  const changed = await change({
    current_password: account.password,
    new_password: 'a new password',
  });
  assert.equal(changed.status, 200);
  assert.deepEqual(Object.keys(changed.body), ['token']);
  assert.deepEqual((await getMe(`Bearer ${account.token}`)).body, { error: 'Invalid token' });
  assert.equal((await getMe(`Bearer ${changed.body.token}`)).status, 200);
  const logIn = (password: string) =>
    server.request('POST', '/v1/auth/login', { body: { email: account.email, password } });
  assert.equal((await logIn(account.password)).status, 401);
  assert.equal((await logIn('a new password')).status, 200);
});

test('five wrong current passwords lock the account, like five failed logins', async () => {
  const account = await server.makeAccount();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      server.request('POST', '/v1/auth/change-password', {
        token: account.token,
        body: { current_password: `wrong ${index}`, new_password: 'a new password' },
      }),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }) => status).sort(),
    [400, 400, 400, 400, 400, 403, 403, 403],
  );
  const locked = answers.find(({ status }) => status === 403);
  assert.equal(locked?.body.code, 'ACCOUNT_LOCKED');
});

test('exactly one of 5 parallel password changes succeeds', async () => {
  const account = await server.makeAccount();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      server.request('POST', '/v1/auth/change-password', {
        token: account.token,
        body: { current_password: account.password, new_password: `new password ${index}` },
      }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.ok(answers.every(({ status }) => [200, 400, 401].includes(status)));
});
