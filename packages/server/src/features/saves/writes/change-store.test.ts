import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { SaveKey } from '../save-key.ts';
import { storeAdvances, storePuts } from './change-store.ts';
import { listHeads, listSaves, listVersionsOf } from '../store.ts';

let server: TestServer;
let game: TestGame;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
});
after(() => server.close());

const putOver = async (save: SaveKey, head: { revision: number; version: number }) => {
  const version = head.version + 1;
  const next = { revision: head.revision + 1, version, is_present: true };
  const versions = [{ version, app_version: null, data: `{"version":${version}}` }];
  const [stored] = await storeAdvances(server.database, [
    { save, next, versions, version_count: 1, replaced_version: null },
  ]);
  return stored;
};

for (const since of [1, 9, 10, 11, 25]) {
  test(`a write stores nothing if ${since} other writes came first, even if there was no save before them`, async () => {
    for (const already of [0, 1, 12]) {
      const key: SaveKey = {
        game_id: game.game_id,
        environment: 'production',
        player_id: `player-${since}-${already}`,
        slot: 'main',
      };
      const put = async () => putOver(key, (await listHeads(server.database, [key], false))[0]!);
      for (let count = 0; count < already; count++) await put();
      const [stale] = await listHeads(server.database, [key], false);
      for (let count = 0; count < since; count++) assert.ok(await put());
      assert.equal(await putOver(key, stale!), null);
      const [save] = await listSaves(server.database, [key]);
      const version = already + since;
      assert.deepEqual([save!.version, save!.data], [version, `{"version":${version}}`]);
    }
  });
}

for (const count of [1, 2, 10, 11, 25]) {
  test(`one write of ${count} saves makes ${count} versions, of which the last ten are kept`, async () => {
    const key: SaveKey = {
      game_id: game.game_id,
      environment: 'production',
      player_id: `steps-${count}`,
      slot: 'main',
    };
    let version = 0;
    for (const expected_version of [7, 7 + count, null, 2 * count]) {
      const versions = Array.from({ length: count }, (_, index) => ({
        data: `{"put":${version + 1 + index}}`,
        app_version: `1.${version + 1 + index}`,
      }));
      const [stored] = await storePuts(server.database, [
        { save: key, expected_version, versions },
      ]);
      // The first save is stored, whatever version it expects.
      const isInConflict = version > 0 && expected_version !== null && expected_version !== version;
      assert.equal(stored?.version, isInConflict ? undefined : version + count);
      if (!isInConflict) version += count;
      const all = Array.from({ length: version }, (_, index) => index + 1);
      const kept = await listVersionsOf(
        server.database,
        all.map((one) => ({ save: key, version: one })),
      );
      assert.deepEqual(
        kept.map((save) => save && [save.data, save.app_version]),
        all.map((one) => (one > version - 10 ? [`{"put":${one}}`, `1.${one}`] : null)),
      );
    }
    assert.equal(version, 3 * count);
  });
}
