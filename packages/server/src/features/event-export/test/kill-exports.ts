import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginAllExports } from '../../../../test/begin-exports.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { makeTestPartition, TEST_DAY } from '../../../../test/past-day.ts';
import { startVictim } from '../../../../test/run-cli.ts';
import type { S3Server } from '../../../../test/s3-server.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeTaskDue } from '../../../platform/background/task-store.ts';
import { sql } from '../../../platform/database/sql.ts';
import { openStore } from '../../../platform/stores/open-store.ts';
import type { StorePlace } from '../../../platform/stores/store-place.ts';
import { EXPORT_TASK } from '../event-export.ts';
import { createFileReader, exportOnce, folderPlace, listStored } from './exported-files.ts';
import type { ExportedPlace } from './exported-files.ts';

const HISTORY = 20_000;

/** A place to which servers export that are killed. */
export interface KilledPlace {
  to: StorePlace;
  /** The settings of the servers. */
  env: Record<string, string>;
  files: ExportedPlace;
}

export const inFolder = (folder: string): KilledPlace => ({
  to: { folder },
  env: { EVENTS_EXPORT_TO: folder },
  files: folderPlace(folder),
});

export function inBucket(s3: S3Server): KilledPlace {
  const store = openStore(s3.place, { spool_folder: null });
  const { BACKUP_TO: EVENTS_EXPORT_TO, ...access } = s3.env;
  return {
    to: s3.place,
    env: { EVENTS_EXPORT_TO: EVENTS_EXPORT_TO!, ...access },
    files: {
      list: async () => (await s3.listObjects()).map((name) => name.replace(/^studio\//, '')),
      read: async (name) => buffer((await store.read(name)).source),
    },
  };
}

/** Sends events of a game to a server all the time, in several requests at once. */
function startTracking(server: TestServer, key: string) {
  const stopping = new AbortController();
  const send = async () => {
    while (!stopping.signal.aborted) {
      const body = Array.from({ length: 100 }, () => ({
        event_name: 'e',
        session_id: 's',
        properties: { text: randomUUID() },
      }));
      const { status } = await server.request('POST', '/v1/track', { key, body });
      assert.equal(status, 202);
      await sleep(40);
    }
  };
  const senders = [send(), send(), send()];
  return async () => {
    stopping.abort();
    await Promise.all(senders);
  };
}

/**
 * Runs the export in servers that are killed, while another server takes events. After each kill all files are read
 * whole, and at the end each event is in one of them.
 * @returns how many kills came in the middle of a file, and the files and events of the end.
 */
export async function killExports(
  place: KilledPlace,
  kills: number,
): Promise<{ interrupted: number; files: number; events: number }> {
  await using server = await startTestServer({ env: { WORKERS: '1' } });
  const { database } = server;
  await makeTestPartition(server);
  const { game_id, production_key } = await server.makeGame({ tier: 'studio' });
  const game = database.ofGame(game_id);
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, properties)
    SELECT number, at, at, 'production', ${game_id}, ${game_id}, 'history', 's',
           jsonb_build_object('text', md5(number::text))
    FROM generate_series(1, ${HISTORY}) AS number
    CROSS JOIN LATERAL (
      SELECT ${TEST_DAY}::timestamptz + make_interval(secs => number * 4) AS at
    ) AS clock`);
  await database.execute(sql`
    SELECT setval(pg_get_serial_sequence('event_inbox', 'id'), ${HISTORY})`);
  await beginAllExports(database);
  await game.execute(sql`
    UPDATE event_exports SET created_at = now() - interval '1 hour'`);
  const reader = createFileReader(place.files);
  const stopTracking = startTracking(server, production_key);

  const data = await mkdtemp(join(tmpdir(), 'overworld-killed-'));
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill++) {
    const data_dir = await mkdtemp(join(data, 'data-'));
    const { victim } = await startVictim({
      DATABASE_URL: server.database_url,
      DATA_DIR: data_dir,
      PORT: '0',
      WORKERS: '1',
      ...place.env,
    });
    // The lease of the server that was killed before ends at once.
    await database.execute(sql`
      UPDATE background_tasks SET leased_until = NULL WHERE name = ${EXPORT_TASK}`);
    await database.transaction((tx) => makeTaskDue(tx, EXPORT_TASK));
    await waitUntil('the export runs', async () => {
      const run = await database.queryOne(sql`
        SELECT FROM background_tasks
        JOIN pg_stat_activity ON datname = current_database()
          AND application_name = 'overworld-export' AND backend_start > last_started_at
        WHERE name = ${EXPORT_TASK} AND leased_until IS NOT NULL`);
      return run !== null;
    });
    await sleep(500 * Math.random());
    victim.child.kill('SIGKILL');
    await victim.done;
    const plan = await game.queryOne(sql`
      SELECT FROM event_exports WHERE game_id = ${game_id} AND file_name IS NOT NULL`);
    if (plan !== null) interrupted++;
    // Each file can be read whole, and no event is there twice.
    await reader.listIds(game_id);
  }
  await rm(data, { recursive: true, force: true });
  await stopTracking();
  await waitForIngest(game, game_id);
  // The connection of the server that was killed last may have the lock for a moment.
  const finish = () => exportOnce(database, openStore(place.to, { spool_folder: null }));
  await finish().catch(() => sleep(1_000));
  await finish();
  const stored = await listStored(game, game_id);
  assert.ok(stored.length > HISTORY + kills * 100, `${stored.length}`);
  assert.deepEqual(await reader.listIds(game_id), stored);
  assert.ok(
    interrupted >= Math.floor(kills / 5),
    `only ${interrupted} of ${kills} came in the middle of a file`,
  );
  return { interrupted, files: (await reader.readAll()).size, events: stored.length };
}
