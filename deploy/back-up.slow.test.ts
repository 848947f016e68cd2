import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCli } from '../packages/server/test/run-cli.ts';

const SCRIPT = fileURLToPath(new URL('back-up.sh', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'overworld-nightly-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));
const backups = join(folder, 'backups');
const DATA_DIR = join(folder, 'data');

const backUp = (count: number, data_dir: string) =>
  spawnSync(SCRIPT, [backups, String(count)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: data_dir },
  });

test('the nightly backup keeps the newest files, and all of them after a failure', async () => {
  await mkdir(backups);
  const old = ['2026-01-01T033000Z', '2026-01-02T033000Z'].map(
    (time) => `overworld-${time}.ndjson.gz`,
  );
  for (const name of [...old, 'mine.ndjson.gz']) writeFileSync(join(backups, name), '');

  const failed = backUp(1, join(folder, 'none'));
  assert.notEqual(failed.status, 0);
  assert.match(failed.stderr, /There is no installation/);
  assert.deepEqual(readdirSync(backups).toSorted(), ['mine.ndjson.gz', ...old]);

  const made = await runCli(['create-account', 'mira@studio.example'], { DATA_DIR });
  assert.equal(made.code, 0, made.stderr);
  const done = backUp(2, DATA_DIR);
  assert.equal(done.status, 0, done.stderr);
  const [mine, kept, newest, ...rest] = readdirSync(backups).toSorted();
  assert.deepEqual([mine, kept, rest], ['mine.ndjson.gz', old[1], []]);
  assert.equal(statSync(join(backups, newest!)).mode & 0o777, 0o600);

  const restored = await runCli(['restore', join(backups, newest!)], {
    DATA_DIR: join(folder, 'restored'),
  });
  assert.equal(restored.code, 0, restored.stderr);
});
