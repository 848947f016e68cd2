import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { beginAllExports } from '../../../test/begin-exports.ts';
import { openExportStage } from './test/export-stage.ts';
import type { ExportStage } from './test/export-stage.ts';
import { exportOnce, folderPlace } from './test/exported-files.ts';

let stage: ExportStage;
before(async () => {
  stage = await openExportStage();
});
after(() => stage.close());

test('a player who was erased before a file was written is not in it', async () => {
  const { reader, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const { token } = await stage.server.makeAccount({ game_id });
  await beginAllExports(stage.server.database);
  await stage.track(production_key, game_id, [
    { event_name: 'kept', player_id: 'other' },
    { event_name: 'erased', player_id: 'gone' },
  ]);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await stage.server.request('DELETE', path, { token })).status, 204);
  await exportOnce(stage.server.database, store);
  const events = [...(await reader.readAll())].filter(([name]) => name.includes(game_id));
  assert.deepEqual(
    events.flatMap(([, list]) => list.map(({ event_name }) => event_name)),
    ['kept'],
  );
});

test('a player who was erased is in no file that a killed server has left', async () => {
  const { place, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const { token } = await stage.server.makeAccount({ game_id });
  await beginAllExports(stage.server.database);
  await stage.track(production_key, game_id, [{ event_name: 'erased', player_id: 'gone' }]);
  const killed = exportOnce(stage.server.database, {
    ...store,
    async replace(name) {
      const target = await store.replace(name);
      const publish = async () => {
        await target.publish();
        throw new Error('killed');
      };
      return { ...target, publish };
    },
  });
  await assert.rejects(killed, { message: 'killed' });
  const listOwn = async () =>
    (await folderPlace(place).list()).filter((name) => name.includes(game_id));
  assert.equal((await listOwn()).length, 1);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await stage.server.request('DELETE', path, { token })).status, 204);
  await exportOnce(stage.server.database, store);
  assert.deepEqual(await listOwn(), []);
});

test('nothing stays of a file that was begun, and whose players were then erased', async () => {
  const { place, store } = await stage.makePlace();
  const { game_id, production_key } = await stage.server.makeGame();
  const { token } = await stage.server.makeAccount({ game_id });
  await exportOnce(stage.server.database, store);
  await stage.track(production_key, game_id, [{ event_name: 'erased', player_id: 'gone' }]);
  const killed = exportOnce(stage.server.database, {
    ...store,
    async replace(name) {
      const publish = () => Promise.reject(new Error('killed'));
      return { ...(await store.replace(name)), publish, discard: async () => undefined };
    },
  });
  await assert.rejects(killed, { message: 'killed' });
  const listRemains = () => readdir(join(place, '.writing'));
  assert.equal((await listRemains()).length, 1);
  const path = `/v1/games/${game_id}/players/gone?environment=production`;
  assert.equal((await stage.server.request('DELETE', path, { token })).status, 204);
  await exportOnce(stage.server.database, store);
  assert.deepEqual(await listRemains(), []);
});
