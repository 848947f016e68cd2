import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase } from '../../test/harness.ts';
import { runCli } from '../../test/run-cli.ts';
import { openDatabase } from '../platform/database/database.ts';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

let cloned: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;

before(async () => {
  cloned = await cloneDatabase();
  database = openDatabase({ url: cloned.url }, { application_name: 'test', max_connections: 1 });
});
after(async () => {
  await database.close();
  await cloned.drop();
});

test('activate-account finds an address among many that end like it, in any case', async () => {
  await database.execute(sql`
    INSERT INTO accounts (email, password_hash, status)
    SELECT lpad(number::text, 3, '0') || 'mira@studio.example', '', 'pending'
    FROM generate_series(1, 250) AS number`);
  await database.execute(sql`
    INSERT INTO accounts (email, password_hash, status)
    VALUES ('mira@studio.example', '', 'pending')`);
  const { code, stdout, stderr } = await runCli(['activate-account', ' Mira@studio.example'], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^mira@studio\.example is active\.$/m);
  const active = await database.query<{ email: string }>(
    sql`SELECT email FROM accounts WHERE status = 'active'`,
  );
  assert.deepEqual(active, [{ email: 'mira@studio.example' }]);
  const unknown = await runCli(['unlock-account', 'nobody@studio.example'], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(unknown.code, 1);
  assert.equal(unknown.stderr, 'There is no account nobody@studio.example.\n');
});
