import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beginAllExports } from '../../../test/begin-exports.ts';
import { makeTestPartition } from '../../../test/past-day.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { EXPORT_LOCK, runExport } from './export-run.ts';
import { openExportStage } from './test/export-stage.ts';
import type { ExportStage } from './test/export-stage.ts';
import { exportOnce, folderPlace, listStored } from './test/exported-files.ts';

let stage: ExportStage;
before(async () => {
  stage = await openExportStage();
});
after(() => stage.close());

test('only one of several servers exports at a time', async () => {
  const { reader, store } = await stage.makePlace();
  const games = [await stage.server.makeGame(), await stage.server.makeGame()];
  for (const { production_key, game_id } of games) {
    await stage.track(production_key, game_id, [
      { event_name: 'before' },
      { event_name: 'before' },
    ]);
  }
  const exportAtOnce = async () => {
    const runs = await Promise.allSettled(
      [0, 1, 2].map(() => exportOnce(stage.server.database, store)),
    );
    const refused = runs.filter((run) => run.status === 'rejected');
    for (const { reason } of refused) {
      assert.equal(reason.message, 'Another server exports events now.');
    }
    assert.ok(refused.length < runs.length);
  };
  await exportAtOnce();
  for (const { production_key, game_id } of games) {
    await stage.track(production_key, game_id, [{ event_name: 'after' }]);
  }
  await exportAtOnce();
  for (const { game_id } of games) {
    const stored = await listStored(stage.server.database.ofGame(game_id), game_id);
    assert.deepEqual(await reader.listIds(game_id), stored);
  }
});

test('a server that has lost its lock puts no part in the place of a whole file', async () => {
  const { reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const game = stage.server.database.ofGame(game_id);
  await exportOnce(stage.server.database, store);
  // Of the pages of the file, the first one is read before the server is stopped.
  for (let sent = 0; sent < 4; sent++) {
    const events = Array.from({ length: 100 }, () => ({ event_name: 'e' }));
    await stage.track(production_key, game_id, events);
  }
  const stopped = Promise.withResolvers<void>();
  const goes_on = Promise.withResolvers<void>();
  const first = exportOnce(stage.server.database, {
    ...store,
    async replace(name) {
      stopped.resolve();
      await goes_on.promise;
      return store.replace(name);
    },
  });
  await stopped.promise;
  await stage.server.database.execute(sql`
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE locktype = 'advisory' AND objid = ${EXPORT_LOCK}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  await waitUntil('the second server exports', () =>
    exportOnce(stage.server.database, store).then(
      () => true,
      () => false,
    ),
  );
  goes_on.resolve();
  await assert.rejects(first, { message: 'Another server exports events now.' });
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 400);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('an export begins only when servers of an earlier release have ended', async () => {
  const { place, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  await stage.track(production_key, game_id, [{ event_name: 'before' }]);
  await beginAllExports(stage.server.database);
  const listOwn = async () =>
    (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  await runExport(stage.server.database, store);
  assert.deepEqual(await listOwn(), []);
  await stage.server.database.ofGame(game_id).execute(sql`
    UPDATE event_exports SET created_at = now() - interval '51 minutes'
    WHERE game_id = ${game_id}`);
  await runExport(stage.server.database, store);
  assert.equal((await listOwn()).length, 1);
});

test('a long history keeps no other game waiting: a run ends after its time, and the next one goes on', async () => {
  const { reader, store } = await stage.makePlace();
  const long = await stage.server.makeGame();
  const other = await stage.server.makeGame();
  const game = stage.server.database.ofGame(long.game_id);
  const days = [3, 2, 1].map((ago) =>
    new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
  );
  for (const [index, day] of days.entries()) {
    await makeTestPartition(stage.server, day);
    await game.execute(sql`
      INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                          session_id, properties)
      VALUES (${index + 1}, ${day}::timestamptz, ${day}, 'production', ${long.game_id}, ${long.game_id},
              'history', 's', '{}')`);
  }
  await beginAllExports(stage.server.database);
  const runOnce = () => runExport(stage.server.database, store, { settling_minutes: 0, run_ms: 0 });
  await runOnce();
  await runOnce();
  assert.deepEqual(await reader.listIds(long.game_id), [1, 2], 'one file a round');
  await stage.track(other.production_key, other.game_id, [{ event_name: 'later' }]);
  await runOnce();
  const stored = await listStored(stage.server.database.ofGame(other.game_id), other.game_id);
  assert.deepEqual(await reader.listIds(other.game_id), stored);
  assert.deepEqual(await reader.listIds(long.game_id), [1, 2, 3]);
});
