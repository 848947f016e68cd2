import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { startS3Server } from '../../../test/s3-server.ts';
import { fillForBackups, killBackups } from './test/kill-backups.ts';

/** `npm run torture -- kills` makes many more. */
const KILLS = 4;

let server: TestServer;
let data_dir: string;
before(async () => {
  server = await startTestServer();
  data_dir = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
  await fillForBackups(server);
});
after(async () => {
  await server.close();
  await rm(data_dir, { recursive: true, force: true });
});

test('a backup that is killed at any moment leaves only whole backups in a folder', async () => {
  const folder = await mkdtemp(join(data_dir, 'place-'));
  await killBackups(server, { to: { folder }, env: { BACKUP_TO: folder }, data_dir }, KILLS);
});

test('a backup that is killed at any moment leaves only whole backups in a bucket', async () => {
  await using s3 = await startS3Server();
  await killBackups(server, { to: s3.place, env: s3.env, data_dir }, KILLS);
  const kept = (await readdir(data_dir)).filter((name) => name.endsWith('.spool'));
  assert.deepEqual(kept, [], 'no data stays in DATA_DIR');
});
