import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startTestServer } from '../../../test/harness.ts';
import { callCli, CliProcess, runCli } from '../../../test/run-cli.ts';
import { startS3Server } from '../../../test/s3-server.ts';
import { readBackupAge } from '../../features/backups/backup-rows.ts';
import { sql } from '../../platform/database/sql.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-backup-'));
await chmod(folder, 0o755);
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a command in a shell, with a file as its standard input or output. */
const runWithFile = (direction: '<' | '>', file: string, args: string[], DATA_DIR: string) =>
  new CliProcess(args, { DATA_DIR }, ['sh', '-c', `"$@" ${direction}'${file}'`, 'sh']).done;

test('a backup to standard output of a running server holds nothing else, and restores from there', async () => {
  const DATA_DIR = join(folder, 'data');
  const made = await runCli(['create-account', 'mira@studio.example'], { DATA_DIR });
  assert.equal(made.code, 0, made.stderr);
  assert.doesNotMatch(made.stdout, /PostgreSQL/);
  const server = new CliProcess(['start'], { DATA_DIR, PORT: '0' });
  await server.waitFor(/Press Ctrl-C/);
  const file = join(folder, 'monday.ndjson.gz');
  const saved = await runWithFile('>', file, ['backup', '-'], DATA_DIR);
  assert.equal(saved.code, 0, saved.stderr);
  assert.match(
    saved.stderr,
    /^This command acts on the data folder [^\n]+\n(\d+ rows? .*\n)*Backed up \d+ rows/,
  );
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { overworld?: string; complete?: boolean });
  assert.equal(lines[0]!.overworld, 'installation');
  assert.equal(lines.at(-1)!.complete, true);

  const DATABASE_URL = 'postgres://u:hunter2@127.0.0.1:1/other';
  const doubted = await callCli(['setup-link'], { DATA_DIR, DATABASE_URL });
  assert.equal(doubted.code, 1);
  assert.match(doubted.stderr, /A server is running with the PostgreSQL in the data folder/);
  assert.doesNotMatch(doubted.stderr, /hunter2/);
  server.child.kill('SIGTERM');
  assert.equal((await server.done).code, 0);

  const restored = join(folder, 'restored');
  const loaded = await runWithFile('<', file, ['restore', '-'], restored);
  assert.equal(loaded.code, 0, loaded.stderr);
  const again = await callCli(['create-account', 'mira@studio.example'], { DATA_DIR: restored });
  assert.match(again.stderr, /already/);
});

test('a backup whose reader goes away fails', async () => {
  const cut = await new CliProcess(['backup', '-'], { DATA_DIR: join(folder, 'data') }, [
    'bash',
    '-c',
    'set -o pipefail; "$@" | true',
    'sh',
  ]).done;
  assert.notEqual(cut.code, 0);
  assert.match(cut.stderr, /Cannot write to standard output/);
});

test('without a file a backup goes to BACKUP_TO, where it is checked and restored for a try', async () => {
  const DATA_DIR = join(folder, 'data');
  const BACKUP_TO = join(folder, 'backups');
  const none = await callCli(['backup'], { DATA_DIR });
  assert.match(none.stderr, /^Name a file, or set BACKUP_TO/);
  const secret = await callCli(['backup', '--with-secrets'], { DATA_DIR, BACKUP_TO });
  assert.match(secret.stderr, /^Backups in BACKUP_TO hold no secrets/);
  const missing = await runCli(['backup'], { DATA_DIR, BACKUP_TO });
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Cannot use the folder .+ \(there is no such folder\)/);
  await mkdir(BACKUP_TO);
  const empty = await callCli(['backup', '--check'], { DATA_DIR, BACKUP_TO });
  assert.match(empty.stderr, /^There is no backup in /);
  const made = await runCli(['backup'], { DATA_DIR, BACKUP_TO });
  assert.equal(made.code, 0, made.stderr);
  const [name, ...rest] = await readdir(BACKUP_TO);
  assert.deepEqual(rest, []);
  assert.ok(made.stderr.includes(`to ${name} in ${BACKUP_TO}`), made.stderr);

  const checked = await callCli(['backup', '--check'], { DATA_DIR, BACKUP_TO });
  assert.equal(checked.code, 0, checked.stderr);
  assert.match(
    checked.stdout,
    /^overworld-\S+ is whole: the installation at .+, with \d+ rows? in/,
  );
  const tried = await runCli(['restore', '--dry-run', join(BACKUP_TO, name!)], { DATA_DIR });
  assert.equal(tried.code, 0, tried.stderr);
  assert.match(
    tried.stdout,
    /can be restored: \d+ rows, with 1 accounts? and 0 games, in \d+ second/,
  );
  assert.ok(!(await readdir(DATA_DIR)).includes('dry-run'));

  const bytes = await readFile(join(BACKUP_TO, name!));
  const cut = name!.replace('-000001-', '-000002-');
  await writeFile(join(BACKUP_TO, cut), bytes.subarray(0, -9));
  const bad = await callCli(['backup', '--check'], { DATA_DIR, BACKUP_TO });
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, new RegExp(`${cut} cannot be read.*\\n1 of 2 backups in`, 's'));
  assert.match(bad.stdout, new RegExp(`^${name} is whole`));
  const refused = await runCli(['restore', '--dry-run', join(BACKUP_TO, cut)], { DATA_DIR });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /cannot be read/);
  assert.ok(!(await readdir(DATA_DIR)).includes('dry-run'));
});

test('a backup that lost a part in its middle is refused, and nothing is restored', async () => {
  const DATA_DIR = join(folder, 'data');
  const whole = join(folder, 'whole.ndjson.gz');
  assert.equal((await runCli(['backup', whole], { DATA_DIR })).code, 0);
  const lines = gunzipSync(await readFile(whole))
    .toString()
    .split(/(?<=\n)/);
  const row = lines.findLastIndex((line) => line.startsWith('['));
  const holed = join(folder, 'holed.ndjson.gz');
  const parts = [lines.slice(0, row), lines.slice(row + 1)];
  await writeFile(holed, Buffer.concat(parts.map((part) => gzipSync(part.join('')))));
  const restored = join(folder, 'holed');
  for (const [args, data] of [
    [['restore', holed], restored],
    [['restore', '--dry-run', holed], DATA_DIR],
    [['backup', '--check', holed], DATA_DIR],
  ] as const) {
    const refused = await runCli([...args], { DATA_DIR: data });
    assert.equal(refused.code, 1, args.join(' '));
    assert.match(refused.stderr, /is damaged: it has \d+ rows, and had \d+ when it was written/);
  }
  const loaded = await runCli(['restore', whole], { DATA_DIR: restored });
  assert.equal(loaded.code, 0, loaded.stderr);
});

test('a backup goes to a bucket and is restored from there', async () => {
  await using s3 = await startS3Server();
  const DATA_DIR = join(folder, 'data');
  const made = await runCli(['backup'], { DATA_DIR, ...s3.env });
  assert.equal(made.code, 0, made.stderr);
  const [object] = await s3.listObjects();
  const address = `s3://${s3.place.bucket}/${object}`;
  const checked = await callCli(['backup', '--check', address], { DATA_DIR, ...s3.env });
  assert.equal(checked.code, 0, checked.stderr);
  const DATA_RESTORED = join(folder, 'restored-from-bucket');
  const restored = await runCli(['restore', address], { ...s3.env, DATA_DIR: DATA_RESTORED });
  assert.equal(restored.code, 0, restored.stderr);
  const again = await callCli(['create-account', 'mira@studio.example'], {
    DATA_DIR: DATA_RESTORED,
  });
  assert.match(again.stderr, /already/);
  const without = await callCli(['backup', '--check', address], { DATA_DIR });
  assert.match(without.stderr, /^AWS_ACCESS_KEY_ID must be set/);
});

test('only a backup in BACKUP_TO ends the lateness of backups', async () => {
  await using server = await startTestServer();
  const { database, database_url: DATABASE_URL } = server;
  const DATA_DIR = join(folder, 'late');
  const BACKUP_TO = join(folder, 'late-backups');
  await mkdir(BACKUP_TO);
  await database.execute(sql`
    INSERT INTO installation (name, value) VALUES ('backups_since', (now() - interval '9 days')::text)`);
  const isStillLate = async () => (await readBackupAge(database))! > 8 * 86_400;
  const file = join(folder, 'by-hand.ndjson.gz');
  const made = await callCli(['backup', file], { DATABASE_URL, DATA_DIR, BACKUP_TO });
  assert.equal(made.code, 0, made.stderr);
  assert.ok(await isStillLate(), 'a file is another place');
  const mended = await callCli(['backup'], { DATABASE_URL, DATA_DIR, BACKUP_TO });
  assert.equal(mended.code, 0, mended.stderr);
  assert.ok(!(await isStillLate()));
});
