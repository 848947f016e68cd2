import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeDevice, startServer } from './device.ts';
import { engines } from './engines.ts';
import type { Game } from './engine.ts';
import type { Exchange } from './transcript.ts';
import { bundledTypescript } from './typescript-bundle.ts';

const askForConfig = (player_id: string, etag?: string) => ({
  method: 'GET',
  path: `/v1/config?player_id=${player_id}`,
  headers: etag ? { 'if-none-match': etag } : undefined,
});
const config = (speed: number, etag: string): Exchange['answer'] => ({
  status: 200,
  headers: { etag },
  body: { config: { speed }, version: 1 },
});
const save = (player_id: string, level: number, version: number): Exchange => ({
  request: {
    method: 'PUT',
    path: '/v1/saves',
    body: { player_id, version, data: { level } },
  },
  answer: {
    status: 200,
    body: { success: true, version: version + 1, updated_at: '2030-01-01T00:00:00.000Z' },
  },
});
const identify = (level: number, answer: Exchange['answer']): Exchange => ({
  request: {
    method: 'POST',
    path: '/v1/identify',
    body: { player_id: 'p-1', properties: { level } },
  },
  answer,
});
const tag = (method: 'POST' | 'DELETE', answer: Exchange['answer']): Exchange => ({
  request: {
    method,
    path: `/v1/players/p-1/tags${method === 'DELETE' ? '/beta' : ''}`,
    body: method === 'POST' ? { tag: 'beta' } : undefined,
  },
  answer,
});

for (const engine of engines) {
  test(
    `${engine.name}: a device keeps its anonymous player when the key of the game changes`,
    { skip: engine.skip },
    async (t) => {
      const { folder } = await makeDevice(t, engine, 'http://127.0.0.1:1');
      const playerOf = async (api_key: string) => {
        const game = await engine.start({ base_url: 'http://127.0.0.1:1', folder, api_key });
        const player_id = await game.call('player_id');
        await game.kill();
        return player_id;
      };
      const first = await playerOf('ow_live_first');
      // This is the state that an earlier release left: the name of the folder comes from the API key.
      const digest = createHash('sha256').update('ow_live_first').digest('hex').slice(0, 16);
      renameSync(join(folder, 'overworld-production'), join(folder, `overworld-${digest}`));
      assert.equal(await playerOf('ow_live_first'), first);
      assert.equal(await playerOf('ow_live_second'), first);
      assert.notEqual(await playerOf('ow_dev_first'), first);
    },
  );

  test(
    `${engine.name}: a start that saves without loading does not overwrite the kept save of an earlier start`,
    { skip: engine.skip },
    async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const first = await start();
      const write = (game: Game, level: number) =>
        game.call('saves.save', { text: JSON.stringify({ level }) });
      const { request } = save('p-1', 2, 1);
      server.expect([
        save('p-1', 1, 0),
        { request, answer: { status: 401, body: { error: 'API key has expired' } } },
      ]);
      await write(first, 1);
      await assert.rejects(write(first, 2), /unauthorized/);
      await first.kill();

      const second = await start();
      const conflict = {
        error: 'Version conflict',
        server_version: 2,
        server_data: { level: 2 },
        updated_at: '2030-01-01T00:00:00.000Z',
      };
      server.expect([
        save('p-1', 2, 1),
        { ...save('p-1', 9, 0), answer: { status: 409, body: conflict } },
      ]);
      await assert.rejects(write(second, 9), /conflict/);
      server.verify();
    },
  );
}

for (const engine of [bundledTypescript, ...engines]) {
  describe(`${engine.name} and its players`, { skip: engine.skip, concurrency: true }, () => {
    test('a config that is loading for one player is not given to the next player', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      const load = (max_age_seconds = 0) => game.call('config.load', { max_age_seconds });
      server.expect([{ request: askForConfig('p-1'), answer: config(1, '"one"') }]);
      await load();

      let own: Promise<unknown>[] = [];
      const change = async () => {
        await game.call('set_player_id', { player_id: 'p-2' });
        own = [load()];
        await own[0];
      };
      const askAgain = async () => {
        own.push(load());
        // Calls begin in order. When this call is answered, the call before it has begun.
        await game.call('player_id');
      };
      server.expect([
        { request: askForConfig('p-1', '"one"'), answer: { status: 304 }, meanwhile: change },
        { request: askForConfig('p-2'), answer: config(2, '"two"'), meanwhile: askAgain },
      ]);
      const described = (speed: number) => ({ config: { speed }, version: 1, is_stale: false });
      assert.deepEqual(await load(), described(1));
      server.verify();
      assert.deepEqual(await Promise.all(own), [described(2), described(2)]);
      assert.equal(await game.call('config.get', { key: 'speed', fallback: 0 }), 2);
      assert.deepEqual(await load(60), described(2));
      server.verify();
    });

    test('an empty id selects the anonymous player', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url, { player_id: '' });
      const game = await start();
      assert.match(await game.call('player_id'), /^[0-9a-f]{32}$/);
    });

    test('a save that waits belongs to the player at the time of its call', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.expect([save('p-1', 1, 0), save('p-1', 2, 1), save('p-2', 3, 0)]);
      const saving = [1, 2].map((level) => game.call('saves.save', { text: `{"level":${level}}` }));
      await game.call('set_player_id', { player_id: 'p-2' });
      saving.push(game.call('saves.save', { text: '{"level":3}' }));
      await Promise.all(saving);
      server.verify();
    });

    test('the value that was set last wins, even if an earlier call is repeated', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.expect([
        identify(1, 'lost'),
        identify(1, { status: 200, body: { player_id: 'p-1', properties: { level: 1 } } }),
        identify(2, { status: 200, body: { player_id: 'p-1', properties: { level: 2 } } }),
        tag('POST', 'lost'),
        tag('POST', { status: 200, body: { player_id: 'p-1', tags: ['beta'] } }),
        tag('DELETE', { status: 204 }),
        identify(3, { status: 200, body: { player_id: 'p-1', properties: { level: 3 } } }),
      ]);
      await Promise.all([
        game.call('identify', { properties: { level: 1 } }),
        game.call('identify', { properties: { level: 2 } }),
        game.call('tags.add', { tag: 'beta' }),
        game.call('tags.remove', { tag: 'beta' }),
        game.call('identify', { properties: { level: 3 } }),
      ]);
      server.verify();
    });
  });
}
