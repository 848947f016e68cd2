import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { callCli } from '../../../test/run-cli.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { readBackupAge } from './backup-rows.ts';
import { watchBackups } from './late-backups.ts';
import { makeBackup } from './make-backup.ts';
import { openFolderStore } from '../../platform/stores/folder-store.ts';
import { runTask } from './test/run-task.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-backups-'));
after(() => rm(folder, { recursive: true, force: true }));

async function makeFolder(): Promise<string> {
  return mkdtemp(join(folder, 'place-'));
}

const startServer = (BACKUP_TO: string, env: Record<string, string> = {}) =>
  startTestServer({ env: { BACKUP_TO, WORKERS: '1', ...env } });

async function readStats(server: TestServer, token: string) {
  const { status, body } = await server.request('GET', '/v1/admin/stats', { token });
  assert.equal(status, 200);
  return body;
}

const listWhole = async (place: string) =>
  (await readdir(place)).filter((name) => name.endsWith('.ndjson.gz')).toSorted();

test('a server backs itself up at its first start, and keeps the newest backups of its own', async () => {
  const place = await makeFolder();
  const others = [
    'overworld-2026-01-01T033000Z.ndjson.gz',
    'overworld-0123456789ab-000001-2026-01-01T033000Z.ndjson.gz',
    'overworld-0123456789ab-000002-2026-01-01T033000Z.ndjson.gz.unfinished',
    'notes.txt',
  ];
  for (const name of others) await writeFile(join(place, name), '');
  const lines: string[] = [];
  await using server = await startTestServer({
    env: { BACKUP_TO: place, BACKUP_EVERY: '6h', BACKUP_KEEP: '2', WORKERS: '1' },
    log: { write: (line) => void lines.push(line) },
  });
  const { token } = await server.makeAccount({ is_administrator: true });
  const listOwn = async () =>
    (await readdir(place)).filter((name) => !others.includes(name)).toSorted();
  await waitUntil('there is a backup', async () => (await readStats(server, token)).last_backup_at);
  const [first] = await listOwn();
  assert.match(first!, /^overworld-[0-9a-f]{12}-000001-\d{4}-\d\d-\d\dT\d{6}Z\.ndjson\.gz$/);
  assert.equal((await stat(join(place, first!))).mode & 0o777, 0o600);
  const { backups } = await readStats(server, token);
  assert.deepEqual(backups, {
    place,
    every_seconds: 21_600,
    keep: 2,
    are_late: false,
    problem: null,
  });
  const { text } = await server.request('GET', '/metrics');
  assert.match(text, /^overworld_backup_age_seconds \d/m);
  assert.match(text, /^overworld_backup_interval_seconds 21600$/m);

  for (let more = 0; more < 2; more++) await runTask(server, 'making backups');
  const numbers = (await listOwn()).map((name) => name.split('-')[2]);
  assert.deepEqual(numbers, ['000002', '000003']);
  for (const name of others) await stat(join(place, name));
  await waitUntil('the log says so', async () => lines.join('').includes('backup made'));
});

test('a backup that fails keeps the older ones, and the page says why', async () => {
  const place = join(await makeFolder(), 'missing');
  await using server = await startServer(place);
  const { token } = await server.makeAccount({ is_administrator: true });
  const readProblem = async () => (await readStats(server, token)).backups.problem;
  await waitUntil('it has failed', async () => (await readProblem()) !== null);
  assert.equal(
    await readProblem(),
    `Cannot use the folder ${place} (there is no such folder): check BACKUP_TO, and that the user of the server may write there.`,
  );
  assert.equal((await readStats(server, token)).last_backup_at, null);
});

test('administrators get one mail when backups are late, and one when they are made again', async () => {
  const place = await makeFolder();
  await using server = await startServer(place, { BACKUP_EVERY: '1h' });
  const { token, email } = await server.makeAccount({ is_administrator: true });
  await server.makeAccount();
  const { database, data_dir } = server;
  await waitUntil('there is a backup', async () => (await listWhole(place)).length > 0);
  const setTimes = (ago: string) =>
    database.execute(sql`
      UPDATE installation SET value = (now() - ${ago}::interval)::text
      WHERE name IN ('last_backup_at', 'backups_since')`);
  const watch = () => watchBackups(database, 3_600_000);
  await waitUntil(
    'the time is recorded',
    async () => (await readStats(server, token)).last_backup_at,
  );
  await setTimes('119 minutes');
  await watch();
  await setTimes('121 minutes');
  assert.equal((await readStats(server, token)).backups.are_late, true);
  await watch();
  await watch();
  assert.equal((await waitForMail(data_dir, email)).subject, 'Backups of Overworld are late');
  await makeBackup(database, openFolderStore(place), { keep: 2 });
  assert.equal((await readStats(server, token)).backups.are_late, false);
  await watch();
  await watch();
  const mended = await waitForMail(data_dir, email, 2);
  assert.equal(mended.subject, 'Backups of Overworld are made again');
  assert.equal((await listMails(data_dir, email)).length, 2);

  // A clock that was in the future does not keep backups from being late.
  await setTimes('-300 days');
  await watch();
  const row = await database.queryOne<{ future: boolean }>(sql`
    SELECT max(value::timestamptz) > now() AS future FROM installation
    WHERE name IN ('last_backup_at', 'backups_since')`);
  assert.equal(row!.future, false);
});

test('backups that are turned on again are not late at once', async () => {
  await using first = await startTestServer({ env: { WORKERS: '1' } });
  const { database, database_url, data_dir } = first;
  const { email } = await first.makeAccount({ is_administrator: true });
  await database.execute(sql`
    INSERT INTO installation (name, value)
    SELECT name, (now() - interval '9 days')::text
    FROM unnest(ARRAY['last_backup_at', 'backups_since', 'late_backups_told_at']) AS name`);
  const without = await startTestServer({ env: { WORKERS: '1' }, database_url });
  await without.close();
  await watchBackups(database, 86_400_000);
  assert.ok((await readBackupAge(database))! < 86_400);
  assert.deepEqual(await listMails(data_dir, email), []);
});

test('the time of a backup to a file is on the page, and in no archive', async () => {
  await using server = await startTestServer({ env: { WORKERS: '1' } });
  const { token } = await server.makeAccount({ is_administrator: true });
  assert.equal((await readStats(server, token)).last_file_backup_at, null);
  const began = Date.now();
  for (const name of ['first.ndjson', 'second.ndjson']) {
    const made = await callCli(['backup', join(folder, name)], {
      DATABASE_URL: server.database_url,
      DATA_DIR: server.data_dir,
    });
    assert.equal(made.code, 0, made.stderr);
  }
  const { last_file_backup_at, last_backup_at, backups } = await readStats(server, token);
  assert.ok(Date.parse(last_file_backup_at) >= began - 1_000, last_file_backup_at);
  assert.deepEqual({ last_backup_at, backups }, { last_backup_at: null, backups: null });
  assert.doesNotMatch(await readFile(join(folder, 'second.ndjson'), 'utf8'), /last_file_backup_at/);
});
