import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startS3Server } from '../../../test/s3-server.ts';
import { inBucket, inFolder, killExports } from './test/kill-exports.ts';

/** `npm run torture -- kills` makes many more. */
const KILLS = 5;

test('servers that are killed at any moment export each event once, to a folder', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await killExports(inFolder(folder), KILLS);
  const names = await readdir(folder, { recursive: true });
  assert.deepEqual(
    names.filter((name) => name.endsWith('.unfinished')),
    [],
  );
});

test('servers that are killed at any moment export each event once, to a bucket', async () => {
  await using s3 = await startS3Server();
  await killExports(inBucket(s3), KILLS);
});
