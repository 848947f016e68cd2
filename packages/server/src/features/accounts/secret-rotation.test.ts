import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { startTestServer } from '../../../test/harness.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import { runCli } from '../../../test/run-cli.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { createJwtSecretKeeper, rotateJwtSecret } from '../../platform/auth/jwt-secrets.ts';

const DAY_S = 86_400;

let server: TestServer;
let other: TestServer;
before(async () => {
  server = await startTestServer();
  other = await startTestServer({ database_url: server.database_url });
});
after(async () => {
  await other.close();
  await server.close();
});

const statusOf = async (on: TestServer, token: string) =>
  (await on.request('GET', '/v1/auth/me', { token })).status;

const rotate = async (...options: string[]) => {
  const run = await runCli(['rotate-jwt-secret', ...options], {
    DATABASE_URL: server.database_url,
  });
  assert.equal(run.code, 0, run.stderr);
};

const readSecret = async () =>
  (
    await createJwtSecretKeeper(server.database, { jwt_secret: null, jwt_secret_previous: null })
  ).get();

const signBy = (secret: string, { account_id }: TestAccount, issued_at: number, lifetime: number) =>
  new SignJWT({ generation: 1 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(account_id)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + lifetime)
    .sign(new TextEncoder().encode(secret));

/** Each server reads the secrets at most once a second. */
const waitForSecret = (on: TestServer, token: string) =>
  waitUntil('the server knows the new secret', async () => (await statusOf(on, token)) === 200);

test('a rotated secret logs nobody out, and all servers take tokens by the new one', async () => {
  const before_it = await server.makeAccount();
  const { current: old_secret } = await readSecret();
  await rotate();
  const { current } = await readSecret();
  assert.notEqual(current, old_secret);
  // Made by the new secret.
  const after_it = await server.makeAccount();
  for (const node of [server, other]) {
    await waitForSecret(node, after_it.token);
    assert.equal(await statusOf(node, before_it.token), 200);
  }

  const now = Math.floor(Date.now() / 1_000);
  const forged = await signBy(old_secret, before_it, now + 120, 7 * DAY_S);
  const lasting = await signBy(old_secret, before_it, now - 60, 3_650 * DAY_S);
  for (const token of [forged, lasting]) assert.equal(await statusOf(server, token), 401);

  const entry = await server.database.queryOne<{ target: string; details: object }>(
    sql`SELECT target, details FROM audit_log WHERE action = 'rotate_jwt_secret'`,
  );
  assert.deepEqual(entry, { target: 'installation', details: { end_sessions: false } });
});

test('with --end-sessions the tokens of all secrets before are void', async () => {
  const account = await server.makeAccount();
  await rotate('--end-sessions');
  assert.deepEqual((await readSecret()).retired, []);
  const after_it = await server.makeAccount();
  for (const node of [server, other]) {
    await waitForSecret(node, after_it.token);
    assert.equal(await statusOf(node, account.token), 401);
  }
});

test('a secret is forgotten when all its tokens have expired', async () => {
  const passDays = (days: number) =>
    server.database.execute(sql`
      UPDATE installation SET value = replace(value, to_char(now(), 'YYYY-MM-DD'),
        to_char(now() - ${days}::integer * interval '1 day', 'YYYY-MM-DD'))
      WHERE name = 'jwt_retired_secrets'`);
  const again = () =>
    server.database.transaction((tx) => rotateJwtSecret(tx, { end_sessions: false }));
  await again();
  await passDays(6);
  await again();
  assert.equal((await readSecret()).retired.length, 2);
  await passDays(8);
  await again();
  const { retired } = await readSecret();
  assert.ok(
    retired.every(({ retired_at }) => Date.now() - retired_at!.getTime() < 7 * DAY_S * 1e3),
  );
});

test('a configured secret is changed by settings: tokens of JWT_SECRET_PREVIOUS are good', async () => {
  const [old_secret, new_secret] = ['o'.repeat(32), 'n'.repeat(32)];
  const env = { JWT_SECRET: new_secret, JWT_SECRET_PREVIOUS: old_secret };
  await using node = await startTestServer({ database_url: server.database_url, env });
  const account = await node.makeAccount();
  const now = Math.floor(Date.now() / 1_000);
  const old_token = await signBy(old_secret, account, now - 60, 7 * DAY_S);
  assert.equal(await statusOf(node, account.token), 200);
  assert.equal(await statusOf(node, old_token), 200);
  const unknown = await signBy('x'.repeat(32), account, now - 60, 7 * DAY_S);
  assert.equal(await statusOf(node, unknown), 401);
  assert.equal(await statusOf(server, account.token), 401);

  const run = await runCli(['rotate-jwt-secret'], { DATABASE_URL: server.database_url, ...env });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /^JWT_SECRET is set: give it a new value/);
});
