import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../../test/harness.ts';
import { CliProcess } from '../../../../test/run-cli.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openStore } from '../../../platform/stores/open-store.ts';
import type { StorePlace } from '../../../platform/stores/store-place.ts';
import { checkArchive } from '../archive/check-archive.ts';
import { listBackups } from '../backup-names.ts';

const KEPT = 2;
/** A backup that had ended before its kill does not count, and is tried again. */
const TRIES_FOR_A_KILL = 6;

/** Makes so many rows that a backup takes some tenths of a second. */
export async function fillForBackups(server: TestServer): Promise<void> {
  const { game_id } = await server.makeGame();
  await server.database.ofGame(game_id).execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', md5(number::text) FROM generate_series(1, 20000) AS number`);
}

/**
 * Kills backups at any moment, and reads all that is in their place after each kill. At the end nothing but whole
 * backups is there.
 * @param data_dir The folder where a backup waits until a bucket has it.
 * @returns how many files were read whole.
 */
export async function killBackups(
  server: TestServer,
  place: { to: StorePlace; env: Record<string, string>; data_dir: string },
  kills: number,
): Promise<{ files: number }> {
  const { to, env, data_dir } = place;
  const store = openStore(to, { spool_folder: data_dir });
  const start = () =>
    new CliProcess(['backup'], {
      DATABASE_URL: server.database_url,
      DATA_DIR: data_dir,
      BACKUP_KEEP: String(KEPT),
      ...env,
    });
  let files = 0;
  const listWhole = async () => {
    const backups = listBackups(await store.list());
    for (const { name } of backups) {
      const { source, bytes } = await store.read(name);
      await checkArchive(name, source, { bytes });
      files++;
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
  for (let tries = 0; killed < kills; tries++) {
    assert.ok(tries < TRIES_FOR_A_KILL * kills, `only ${killed} were killed before their end`);
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
  // Objects that were not read back before the kill are removed as soon as they are the oldest.
  for (let more = 0; more < KEPT; more++) assert.equal((await start().done).code, 0);
  const left = await store.list();
  assert.equal(left.length, KEPT, `no remains: ${left.join(' ')}`);
  return { files };
}
