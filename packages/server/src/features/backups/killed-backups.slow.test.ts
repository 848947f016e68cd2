import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { countCases } from '../../../test/long-forms.ts';
import { CliProcess } from '../../../test/run-cli.ts';
import { startS3Server } from '../../../test/s3-server.ts';
import { sql } from '../../platform/database/sql.ts';
import type { StorePlace } from '../../platform/stores/store-place.ts';
import { checkArchive } from './archive/check-archive.ts';
import { listBackups } from './backup-names.ts';
import { openStore } from '../../platform/stores/open-store.ts';

const KEPT = 2;
const KILLS = countCases(25);

let server: TestServer;
let data_dir: string;
before(async () => {
  server = await startTestServer();
  data_dir = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
  const { game_id } = await server.makeGame();
  // A backup of so many rows takes some tenths of a second.
  await server.database.ofGame(game_id).execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', md5(number::text) FROM generate_series(1, 20000) AS number`);
});
after(async () => {
  await server.close();
  await rm(data_dir, { recursive: true, force: true });
});

async function killBackups(place: StorePlace, env: Record<string, string>) {
  const store = openStore(place, { spool_folder: data_dir });
  const start = () =>
    new CliProcess(['backup'], {
      DATABASE_URL: server.database_url,
      DATA_DIR: data_dir,
      BACKUP_KEEP: String(KEPT),
      ...env,
    });
  const listWhole = async () => {
    const backups = listBackups(await store.list());
    for (const { name } of backups) {
      const { source, bytes } = await store.read(name);
      await checkArchive(name, source, { bytes });
    }
    return backups.map(({ name }) => name);
  };
  const measure = async () => {
    const began = performance.now();
    assert.equal((await start().done).code, 0);
    return performance.now() - began;
  };
  let usual_ms = await measure();
  let names = await listWhole();
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const backup = start();
    // The first half of the time goes by while the command starts.
    await sleep(usual_ms * (0.5 + 0.6 * Math.random()));
    backup.child.kill('SIGKILL');
    if ((await backup.done).code === null) killed++;
    // The machine may have been busier before.
    else usual_ms = await measure();
    const left = await listWhole();
    assert.ok(left.length > 0, 'the older backups stay');
    if (left[0] === names[0]) assert.deepEqual(left, names, 'without a new backup none is removed');
    names = left;
  }
  assert.ok(killed > KILLS / 4, `only ${killed} of ${KILLS} were killed before their end`);
  // Objects that were not read back before the kill are removed as soon as they are the oldest.
  for (let more = 0; more < KEPT; more++) assert.equal((await start().done).code, 0);
  const left = await store.list();
  assert.equal(left.length, KEPT, `no remains: ${left.join(' ')}`);
}

test('a backup that is killed at any moment leaves only whole backups in a folder', async () => {
  const folder = await mkdtemp(join(data_dir, 'place-'));
  await killBackups({ folder }, { BACKUP_TO: folder });
});

test('a backup that is killed at any moment leaves only whole backups in a bucket', async () => {
  await using s3 = await startS3Server();
  await killBackups(s3.place, s3.env);
  const kept = (await readdir(data_dir)).filter((name) => name.endsWith('.spool'));
  assert.deepEqual(kept, [], 'no data stays in DATA_DIR');
});
