import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cloneDatabase } from '../../test/harness.ts';
import { callCli, CliProcess } from '../../test/run-cli.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-choice-'));
await chmod(folder, 0o755);
const cloned = await cloneDatabase();
after(async () => {
  await cloned.drop();
  await rm(folder, { recursive: true, force: true });
});
const { host: encoded, pathname, password } = new URL(cloned.url);
// The host may be the folder of a socket.
const host = decodeURIComponent(encoded);

test('after a server has used an external database, a command without DATABASE_URL is refused', async () => {
  const server = new CliProcess(['start'], {
    DATA_DIR: folder,
    DATABASE_URL: cloned.url,
    PORT: '0',
  });
  await server.waitFor(/Press Ctrl-C/);
  server.child.kill('SIGTERM');
  assert.equal((await server.done).code, 0);
  const record = join(folder, 'external-database');
  assert.equal(await readFile(record, 'utf8'), `${host}${pathname}\n`);

  const file = join(folder, 'monday.ndjson.gz');
  for (const command of [
    ['backup', file],
    ['setup-link'],
    ['migrate'],
    ['restore', record],
    ['start'],
  ]) {
    const { code, stderr } = await callCli(command, { DATA_DIR: folder, PORT: '0' });
    assert.equal(code, 1);
    if (command[0] === 'restore') continue;
    assert.ok(stderr.includes(`uses the database at ${host}${pathname}`), stderr);
    assert.ok(stderr.includes(`delete ${record}`));
  }
  assert.ok(!existsSync(file));
  assert.ok(!existsSync(join(folder, 'postgres')));
});

test('a command names its database on standard error, without the password', async () => {
  const { code, stdout, stderr } = await callCli(['migrate'], { DATABASE_URL: cloned.url });
  assert.equal(code, 0);
  assert.equal(stdout, 'The database is up to date.\n');
  assert.equal(stderr, `This command acts on the database at ${host}${pathname}.\n`);
  assert.ok(password === '' || !stderr.includes(password));
});

test('a command that makes no installation is refused where there is none, and makes no folder', async () => {
  const DATA_DIR = join(folder, 'mistyped');
  for (const command of [
    ['backup', join(folder, 'none')],
    ['setup-link'],
    ['unlock-account', 'a@b.example'],
  ]) {
    const { code, stderr } = await callCli(command, { DATA_DIR });
    assert.equal(code, 1);
    assert.match(stderr, /^There is no installation in the data folder \S+mistyped: [^\n]+\n$/);
  }
  assert.ok(!existsSync(DATA_DIR));
});

test('a backup into a folder that cannot be written to is refused in one sentence', async () => {
  const { code, stderr } = await callCli(['backup', join(folder, 'none', 'monday.ndjson')], {
    DATABASE_URL: cloned.url,
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /\nCannot write to \S+none \(there is no such folder\): [^\n]+overworld backup - [^\n]+\n$/,
  );
});
