import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { beginAllExports } from '../../../test/begin-exports.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openStore } from '../../platform/stores/open-store.ts';
import { openExportStage, STORE_OPTIONS } from './test/export-stage.ts';
import type { ExportStage } from './test/export-stage.ts';
import { exportOnce, listStored } from './test/exported-files.ts';

let stage: ExportStage;
before(async () => {
  stage = await openExportStage();
});
after(() => stage.close());

test('a problem of the place ends the run with a sentence, and the next run goes on', async () => {
  const { place, reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  await stage.track(production_key, game_id, [{ event_name: 'a' }]);
  await beginAllExports(stage.server.database);
  await stage.track(production_key, game_id, [{ event_name: 'b' }]);
  const missing = openStore({ folder: join(place, 'missing') }, STORE_OPTIONS);
  await assert.rejects(exportOnce(stage.server.database, missing), {
    message: `Cannot use the folder ${join(place, 'missing')} (there is no such folder): check EVENTS_EXPORT_TO, and that the user of the server may write there.`,
  });
  await writeFile(join(place, `game=${game_id}`), 'in the way');
  await assert.rejects(exportOnce(stage.server.database, store), /^Error: Cannot use the folder/);
  await rm(join(place, `game=${game_id}`));
  await exportOnce(stage.server.database, store);
  const stored = await listStored(stage.server.database.ofGame(game_id), game_id);
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('remains of a killed server are removed', async () => {
  const { place, store } = await stage.makePlace();
  await mkdir(join(place, '.writing'));
  await writeFile(join(place, '.writing/day=2026-01-01,events-1.parquet.0.unfinished'), 'half');
  const target = await store.replace('day=2026-01-01/events-1.parquet');
  target.stream.end('whole');
  await waitUntil('it is written', async () => target.stream.closed);
  await target.publish();
  assert.deepEqual(await readdir(join(place, '.writing')), []);
  assert.deepEqual(await readdir(join(place, 'day=2026-01-01')), ['events-1.parquet']);
});

test('remains of games that are gone are removed after a day', async () => {
  const { place, store } = await stage.makePlace();
  const day_ago = new Date(Date.now() - 86_400_000 - 60_000);
  const names = ['old', 'young'].map((age) => `game=${age},events-1.parquet.0.unfinished`);
  const writing = join(place, '.writing');
  await mkdir(writing);
  for (const name of names) await writeFile(join(writing, name), 'half');
  await utimes(join(writing, names[0]!), day_ago, day_ago);
  await exportOnce(stage.server.database, store);
  assert.deepEqual(await readdir(writing), [names[1]]);
});
