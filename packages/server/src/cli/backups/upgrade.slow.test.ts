import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { callCli, runCli } from '../../../test/run-cli.ts';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { findLastMigration, listMigrations, migrate } from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open-database.ts';

const DATA_DIR = await mkdtemp(join(tmpdir(), 'overworld-upgrade-'));
after(() => rm(DATA_DIR, { recursive: true, force: true }));

const check = (DATABASE_URL: string) => runCli(['upgrade', '--check'], { DATABASE_URL, DATA_DIR });

test('an upgrade is tried on a copy, and the data stays as it is', async (t) => {
  const { url, drop } = await makeEmptyDatabase();
  t.after(drop);
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  t.after(() => database.close());
  const last = (await listMigrations()).at(-3)!;
  await migrate(database, { last });
  const { code, stdout, stderr } = await check(url);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^The data can move to release \S+: the migrations of a copy \(2\) took \d+ seconds?\. Nothing was changed\./,
  );
  assert.equal(await findLastMigration(database), last);
  assert.deepEqual(await readdir(DATA_DIR), []);
});

test('data of this release has nothing to migrate, and an upgrade without --check is a start', async (t) => {
  const { url, drop } = await cloneDatabase();
  t.after(drop);
  const { code, stdout } = await check(url);
  assert.equal(code, 0);
  assert.match(stdout, /there is nothing to migrate/);
  const refused = await callCli(['upgrade'], { DATABASE_URL: url, DATA_DIR });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^A start of the new release upgrades the data/);
});
