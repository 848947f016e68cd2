import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT } from 'jose';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { runCli } from '../../../../test/run-cli.ts';
import { createJwtSecretKeeper, rotateJwtSecret } from '../../../platform/auth/jwt-secrets.ts';
import { createTokens } from '../../../platform/auth/tokens.ts';
import { sql } from '../../../platform/database/sql.ts';

const DAY_S = 86_400;
const UNSET = { jwt_secret: null, jwt_secret_previous: null };
const claims = { account_id: randomUUID(), session_id: randomUUID(), generation: 1 };

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const rotate = (end_sessions = false) =>
  server.database.transaction((tx) => rotateJwtSecret(tx, { end_sessions }));

/** Makes the part of a server that signs and checks tokens, with a clock that the test moves. */
async function makeNode() {
  let offset_ms = 0;
  const keeper = await createJwtSecretKeeper(server.database, UNSET);
  const tokens = createTokens(keeper, () => new Date(Date.now() + offset_ms));
  return {
    ...tokens,
    refresh: () => keeper.refresh(),
    secrets: () => keeper.get(),
    passMinutes: (minutes: number) => (offset_ms += minutes * 60_000),
  };
}

const signBy = (
  secret: string,
  issued_at: number,
  lifetime: number,
  { account_id, session_id }: { account_id: string; session_id: string },
) =>
  new SignJWT({ generation: 1, session_id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(account_id)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + lifetime)
    .sign(new TextEncoder().encode(secret));

const refused = { status: 401, message: 'Invalid token' };

test('during a rotation every server accepts the tokens of all servers', async () => {
  const [first, second] = [await makeNode(), await makeNode()];
  const old_secret = first.secrets().current;
  const made = [await first.sign(claims)];
  const verifyAll = async () => {
    for (const token of made) {
      for (const node of [first, second]) assert.deepEqual(await node.verify(token), claims);
    }
  };
  await rotate();
  // One server loads the new secret at once, the other one within a minute. Both still sign with the old
  // secret.
  await first.refresh();
  made.push(await first.sign(claims), await second.sign(claims));
  await verifyAll();
  for (const node of [first, second]) node.passMinutes(1);
  await second.refresh();
  made.push(await first.sign(claims), await second.sign(claims));
  await verifyAll();
  for (const node of [first, second]) node.passMinutes(2);
  made.push(await first.sign(claims), await second.sign(claims));
  await verifyAll();
  const { current } = first.secrets();
  assert.notEqual(current, old_secret);
  const by_new = createTokens(
    { get: () => ({ current, retired: [] }), refresh: async () => {} },
    () => new Date(),
  );
  await by_new.verify(made.at(-1)!);
  await assert.rejects(by_new.verify(made[0]!), refused);
});

test('a token of a retired secret is refused if it was issued long after the rotation or is valid for too long', async () => {
  const node = await makeNode();
  const { current } = node.secrets();
  await rotate();
  await node.refresh();
  const now = Math.floor(Date.now() / 1_000);
  const sign = (issued_at: number, lifetime: number) =>
    signBy(current, issued_at, lifetime, claims);
  assert.deepEqual(await node.verify(await sign(now - 60, 7 * DAY_S)), claims);
  await assert.rejects(node.verify(await sign(now + 240, 7 * DAY_S)), refused);
  await assert.rejects(node.verify(await sign(now - 60, 3_650 * DAY_S)), refused);
});

test('rotate-jwt-secret logs nobody out, and with --end-sessions it logs everybody out', async () => {
  const database_url = server.database_url;
  const statusOf = async (token: string) => {
    await using node = await startTestServer({ database_url });
    return (await node.request('GET', '/v1/auth/me', { token })).status;
  };
  const run = async (...options: string[]) => {
    const { code, stderr } = await runCli(['rotate-jwt-secret', ...options], {
      DATABASE_URL: database_url,
    });
    assert.equal(code, 0, stderr);
  };
  const { token } = await server.makeAccount();
  await run();
  assert.equal(await statusOf(token), 200);
  await run('--end-sessions');
  assert.equal(await statusOf(token), 401);
  assert.deepEqual(await server.database.query(sql`SELECT FROM account_sessions`), []);
  assert.equal(await statusOf((await server.makeAccount()).token), 200);
  const entries = await server.database.query<{ target: string; details: object }>(
    sql`SELECT target, details FROM audit_log WHERE action = 'rotate_jwt_secret' ORDER BY id`,
  );
  assert.deepEqual(entries, [
    { target: 'installation', details: { end_sessions: false } },
    { target: 'installation', details: { end_sessions: true } },
  ]);
});

test('a secret is deleted when all its tokens have expired', async () => {
  await rotate(true);
  const passDays = (days: number) =>
    server.database.execute(sql`
      UPDATE installation
      SET value = (
        SELECT json_agg(json_build_object(
          'secret', kept ->> 'secret',
          'retired_at', (kept ->> 'retired_at')::timestamptz - make_interval(days => ${days}::integer)))
        FROM json_array_elements(value::json) AS kept)
      WHERE name = 'jwt_retired_secrets'`);
  const count = async () =>
    (await createJwtSecretKeeper(server.database, UNSET)).get().retired.length;
  await rotate();
  await passDays(6);
  await rotate();
  assert.equal(await count(), 2);
  await passDays(2);
  await rotate();
  assert.equal(await count(), 2);
});

test('tokens that are signed with JWT_SECRET_PREVIOUS are accepted', async () => {
  const [old_secret, new_secret] = ['o'.repeat(32), 'n'.repeat(32)];
  const env = { JWT_SECRET: new_secret, JWT_SECRET_PREVIOUS: old_secret };
  await using node = await startTestServer({ database_url: server.database_url, env });
  const account = await node.makeAccount();
  const { token } = account;
  const statusOf = async (on: TestServer, given: string) =>
    (await on.request('GET', '/v1/auth/me', { token: given })).status;
  const now = Math.floor(Date.now() / 1_000);
  const sign = (secret: string) => signBy(secret, now - 60, 7 * DAY_S, account);
  assert.equal(await statusOf(node, token), 200);
  assert.equal(await statusOf(node, await sign(old_secret)), 200);
  assert.equal(await statusOf(node, await sign('x'.repeat(32))), 401);
  assert.equal(await statusOf(server, token), 401);

  const run = await runCli(['rotate-jwt-secret'], { DATABASE_URL: server.database_url, ...env });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /^JWT_SECRET is set: give it a new value/);
});
