import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startTestServer } from '../../../../test/harness.ts';
import { daysAgo } from '../../../../test/past-day.ts';
import { joinIngest } from '../../../platform/ingest-lock.ts';
import { createSealedEvents } from './reader.ts';
import { runSeals } from './seal-run.ts';
import type { SealThreadOptions } from './seal-thread.ts';
import { insertPastEvents, makeEvents, readRows, readSealed } from './test/sealed-game.ts';

const KILLS = 8;
const DAYS = [2, 3, 4, 5, 6, 7];
const PROPERTIES = ['level', 'text', 'seconds'];

test('threads that are killed at any moment leave only whole days, and the next one seals the rest', async () => {
  await using server = await startTestServer();
  const { game_id } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  const tenant = { game_id, environment: 'production' as const };
  for (const days of DAYS) {
    await insertPastEvents(server, game_id, daysAgo(days), makeEvents(5_000));
  }
  const sealed = createSealedEvents();
  /** Compares the days that are sealed with their rows. @returns their number. */
  const requireWhole = async () => {
    const rows = await readRows(sealed, game, tenant, PROPERTIES);
    const { days, events, refused } = await readSealed(sealed, game, tenant, PROPERTIES);
    assert.deepEqual(refused, []);
    const ids = new Set(events.map(([id]) => id));
    assert.equal(ids.size, days.length * 5_000);
    assert.deepEqual(
      events,
      rows.filter(([id]) => ids.has(id)),
    );
    return days.length;
  };

  const workerData: SealThreadOptions = {
    connection: { url: server.database_url },
    retention_days: 0,
    run_ms: 600_000,
  };
  const counts: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const thread = new Worker(new URL('./seal-thread.ts', import.meta.url), { workerData });
    const ended = new Promise((resolve) => thread.once('message', resolve));
    await Promise.race([ended, sleep(300 + 1_500 * Math.random())]);
    await thread.terminate();
    counts.push(await requireWhole());
  }
  await runSeals(server.database, { joinIngest, retention_days: 0, rest_times: 0 });
  assert.equal(await requireWhole(), DAYS.length, counts.join());
});
