import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { openDatabase } from './open-database.ts';
import type { Database } from './database.ts';
import { findLastMigration, listMigrations, migrate } from './migrate.ts';
import { MigrationError } from './migration-error.ts';
import { sql } from './sql.ts';

let names: string[];
let before_folding: string;
let database: Database;
let drop: () => Promise<void>;

beforeEach(async () => {
  const made = await makeEmptyDatabase();
  drop = made.drop;
  database = openDatabase({ url: made.url }, { application_name: 'test', max_connections: 2 });
  names = await listMigrations();
  before_folding = names[names.findIndex((name) => name.endsWith('_fold_text.sql')) - 1]!;
  await migrate(database, { last: before_folding, groups: 2 });
});
afterEach(async () => {
  await database.close();
  await drop();
});

test('a migration that refuses data says why in a sentence, changes nothing, and runs once the data is mended', async () => {
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
  assert.equal(await findLastMigration(database), before_folding);
  await database.execute(sql`
    UPDATE accounts SET email = 'second@example.com' WHERE email = 'οδος@example.com'`);
  await migrate(database);
  assert.equal(await findLastMigration(database), names.at(-1));
  const found = await database.query(sql`
    SELECT email FROM accounts WHERE fold_text(email) = fold_text('Οδοσ@EXAMPLE.com')`);
  assert.deepEqual(found, [{ email: 'ΟΔΟΣ@example.com' }]);
});

test('after the upgrade, the search for players reads all players of each group again', async () => {
  const game_id = randomUUID();
  await database.execute(sql`
    INSERT INTO games (id, name, tier, time_zone, tenant_group) VALUES (${game_id}, 'Moonward', 'free', 'UTC', 1)`);
  await database.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL search_path TO group_1, public`);
    await tx.execute(sql`
      INSERT INTO players (game_id, environment, player_id, properties)
      VALUES (${game_id}, 'production', 'ЖУК', '{}')`);
    await tx.execute(sql`
      INSERT INTO player_names (game_id, environment, player_id) VALUES (${game_id}, 'production', 'ЖУК')`);
    await tx.execute(sql`
      INSERT INTO player_name_builds (game_id, environment, is_usable) VALUES (${game_id}, 'production', true)`);
  });
  await migrate(database);
  const [left, builds, others] = await Promise.all([
    database.query(sql`SELECT player_id FROM group_1.player_names`),
    database.query(sql`SELECT environment, is_usable FROM group_1.player_name_builds`),
    database.query(sql`SELECT FROM group_0.player_name_builds`),
  ]);
  assert.deepEqual(left, []);
  assert.deepEqual(builds, [{ environment: 'production', is_usable: false }]);
  assert.deepEqual(others, []);
});
