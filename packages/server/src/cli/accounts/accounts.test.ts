import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { callCli } from '../../../test/run-cli.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

let cloned: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;

before(async () => {
  cloned = await cloneDatabase();
  database = openTestDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 1 },
  );
});
after(async () => {
  await database.close();
  await cloned.drop();
});

test('activate-account finds only the given address, in upper or lower case, among similar ones', async () => {
  await database.execute(sql`
    INSERT INTO accounts (email, password_hash, status)
    SELECT lpad(number::text, 3, '0') || 'mira@studio.example', '', 'pending'
    FROM generate_series(1, 250) AS number`);
  await database.execute(sql`
    INSERT INTO accounts (email, password_hash, status)
    VALUES ('mira@studio.example', '', 'pending')`);
  const { code, stdout, stderr } = await callCli(['activate-account', ' Mira@studio.example'], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^mira@studio\.example is active\.$/m);
  const active = await database.query<{ email: string }>(
    sql`SELECT email FROM accounts WHERE status = 'active'`,
  );
  assert.deepEqual(active, [{ email: 'mira@studio.example' }]);
  const unknown = await callCli(['unlock-account', 'nobody@studio.example'], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /\nThere is no account nobody@studio\.example\.\n$/);
});

test('setup-link prints the link until create-account has made an administrator', async () => {
  await using server = await startTestServer();
  const env = { DATABASE_URL: server.database_url, PUBLIC_URL: 'https://games.example' };
  await server.makeAccount();
  const printed = await callCli(['setup-link'], env);
  assert.equal(
    printed.stdout,
    `https://games.example/register#setup=${await server.findSetupToken()}\n`,
  );
  assert.equal(printed.code, 0, printed.stderr);

  for (const [email, ending] of [
    ['first@studio.example', ', an administrator.'],
    ['second@studio.example', '.'],
  ] as const) {
    const made = await callCli(['create-account', email], env);
    assert.ok(made.stdout.startsWith(`Made the account ${email}${ending}\n`), made.stdout);
  }
  const administrators = await server.database.query(sql`
    SELECT email FROM accounts WHERE is_administrator`);
  assert.deepEqual(administrators, [{ email: 'first@studio.example' }]);

  const late = await callCli(['setup-link'], env);
  assert.equal(late.code, 1);
  assert.match(late.stderr, /\nThis installation has an administrator\. [^\n]*\n$/);
  assert.equal(late.stdout, '');
});
