import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { openDatabase } from './database.ts';
import { findLastMigration, listMigrations, migrate } from './migrate.ts';
import { MigrationError } from './migration-error.ts';
import { sql } from './sql.ts';

test('a migration that refuses data says why in a sentence, changes nothing, and runs once the data is mended', async () => {
  const { url, drop } = await makeEmptyDatabase();
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 2 });
  const names = await listMigrations();
  const last = names[names.findIndex((name) => name.endsWith('_fold_text.sql')) - 1]!;
  await migrate(database, { last });
  await database.execute(sql`
    INSERT INTO accounts (id, email, password_hash, status, created_at)
    VALUES (${randomUUID()}, 'ΟΔΟΣ@example.com', '', 'active', now() - interval '1 day'),
           (${randomUUID()}, 'οδος@example.com', '', 'active', now())`);
  await assert.rejects(migrate(database), (error: Error) => {
    assert.ok(error instanceof MigrationError);
    assert.match(
      error.message,
      /^The accounts ΟΔΟΣ@example.com and οδος@example.com have the same .*\.$/,
    );
    return true;
  });
  assert.equal(await findLastMigration(database), last);
  await database.execute(sql`
    UPDATE accounts SET email = 'second@example.com' WHERE email = 'οδος@example.com'`);
  await migrate(database);
  assert.equal(await findLastMigration(database), names.at(-1));
  const found = await database.query(sql`
    SELECT email FROM accounts WHERE fold_text(email) = fold_text('Οδοσ@EXAMPLE.com')`);
  assert.deepEqual(found, [{ email: 'ΟΔΟΣ@example.com' }]);
  await database.close();
  await drop();
});
