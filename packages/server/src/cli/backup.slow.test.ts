import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { callCli, CliProcess, runCli } from '../../test/run-cli.ts';

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
