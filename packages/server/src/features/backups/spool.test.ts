import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { startFaultyS3, startS3Server } from '../../../test/s3-server.ts';
import type { S3Server } from '../../../test/s3-server.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { checkArchive } from './archive/check-archive.ts';
import { makeBackup } from './make-backup.ts';
import { openS3Store } from '../../platform/stores/s3-store.ts';

let server: TestServer;
let s3: S3Server;
let folder: string;
before(async () => {
  server = await startTestServer();
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'overworld-spool-'));
});
after(async () => {
  await s3.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const WAITS = { part_bytes: 1_000, timeout_ms: 30_000 };

/** Tells whether a transaction waits for its client, as that of a backup does for a slow bucket. */
async function isOneOpen(): Promise<boolean> {
  // Transactions of the server wait for milliseconds, so one that is there each time is that of the backup.
  for (let look = 0; look < 5; look++) {
    const row = await server.database.queryOne<{ is_open: boolean }>(sql`
      SELECT count(*) > 0 AS is_open FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND backend_xmin IS NOT NULL`);
    if (!row!.is_open) return false;
    await sleep(20);
  }
  return true;
}

/** Makes a backup to a bucket that keeps the first part waiting, and looks at the database meanwhile. */
async function isOneOpenWhileSlow(spool_folder: string | null): Promise<boolean> {
  const held = Promise.withResolvers<void>();
  let is_held = false;
  await using slow = await startFaultyS3(s3, {
    interfere(asked) {
      if (is_held || asked.method !== 'PUT') return false;
      is_held = true;
      void held.promise.then(() => asked.socket.destroy());
      return true;
    },
  });
  const made = makeBackup(server.database, openS3Store(slow.place, { ...WAITS, spool_folder }), {
    keep: 9,
  });
  await waitUntil('the bucket is slow', async () => is_held);
  const is_open = await isOneOpen();
  held.resolve();
  const { name } = await made;
  assert.ok((await s3.listObjects()).includes(`studio/${name}`));
  return is_open;
}

test('a slow bucket keeps no transaction open, and the kept file is gone', async () => {
  assert.equal(await isOneOpenWhileSlow(null), true, 'without a file, the transaction waits');
  assert.equal(await isOneOpenWhileSlow(folder), false);
  assert.deepEqual(await readdir(folder), []);
});

test('without a folder to keep it in, a backup is sent while it is read', async () => {
  assert.equal(await isOneOpenWhileSlow('/proc/none'), true);
});

test('what finds no room on the disk is sent on at once, in order', async (t) => {
  const place = await mkdtemp(join(folder, 'disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', place]);
  if (mounted.status !== 0) return t.skip('no small disk can be mounted here');
  try {
    const { game_id } = await server.makeGame();
    await server.database.ofGame(game_id).execute(sql`
      INSERT INTO players (game_id, environment, player_id)
      SELECT ${game_id}, 'production', md5(number::text) FROM generate_series(1, 40000) AS number`);
    const store = openS3Store(s3.place, { part_bytes: 100_000, spool_folder: place });
    const { name, bytes } = await makeBackup(server.database, store, { keep: 9 });
    assert.ok(bytes > 512 * 1024, String(bytes));
    const found = await checkArchive(name, (await store.read(name)).source);
    assert.equal(found.bytes, bytes);
  } finally {
    spawnSync('umount', [place]);
  }
});
