import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { findLastMigration } from '../../platform/database/migrate.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';

const GAME = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

test('the archive of a game with a row of an account is refused, and makes neither game nor account', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-foreign-'));
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const migration = await findLastMigration(database);
  const lines = [
    { overworld: 'game', release: '1.0.0', migration, made_at: '2026-01-01', game_id: GAME },
    { table: 'games', columns: ['id', 'name', 'time_zone'], partitions: [] },
    [GAME, 'Game', 'UTC'],
    {
      table: 'accounts',
      columns: ['email', 'password_hash', 'status', 'is_administrator'],
      partitions: [],
    },
    ['stranger@studio.example', 'none', 'active', 'true'],
    { complete: true, rows: 2 },
  ];
  const file = join(folder, 'game.ndjson');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { code, stderr } = await callCli(['import-game', file], { DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(stderr, /\nThe archive cannot be loaded: it may have no table accounts\.\n$/);
  assert.equal(await selectCount(database, sql`accounts`), 0);
  assert.equal(await selectCount(database, sql`games`), 0);
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});
