import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { csharp } from './csharp.ts';
import { makeDevice } from './device.ts';
import { engines } from './engines.ts';
import { godot } from './godot/godot.ts';
import { reply, startRawServer } from './raw-server.ts';

const NOWHERE = 'http://127.0.0.1:1';

for (const engine of engines) {
  describe(`${engine.name} and mistakes`, { skip: engine.skip }, () => {
    for (const [kind, api_key] of [
      ['development', 'ow_dev_1234567890'],
      ['production', 'ow_live_1234567890'],
    ] as const) {
      const outcome = kind === 'development' ? 'are told, each once' : 'are not told';
      test(`with a ${kind} key, mistakes ${outcome}`, async (t) => {
        const server = await startRawServer(t, (socket, number) =>
          socket.end(
            number <= 2
              ? reply('{"error":"Invalid API key"}', '401 Unauthorized')
              : reply('{"config":{"speed":"fast","name":"x","ok":true},"version":1}'),
          ),
        );
        const { start } = await makeDevice(t, engine, server.url, { api_key });
        const game = await start();
        for (let i = 0; i < 2; i++) {
          await assert.rejects(game.call('leaderboards.page', { board: 'b' }), /Invalid API key/);
          await game.call('track', { event_name: 'x'.repeat(60_000) });
        }
        await game.call('config.load', { max_age_seconds: 0 });
        const get = (key: string, fallback: unknown) => game.call('config.get', { key, fallback });
        for (let i = 0; i < 2; i++) assert.equal(await get('speed', 1), 1);
        assert.deepEqual([await get('name', ''), await get('ok', false)], ['x', true]);
        const away = await makeDevice(t, engine, NOWHERE, { api_key });
        const lost = await away.start();
        for (let i = 0; i < 2; i++) await assert.rejects(lost.call('saves.delete'), /network/);

        const said = [...(await game.call('said')), ...(await lost.call('said'))];
        if (kind === 'production') return assert.deepEqual(said, []);
        assert.equal(said.length, 4, said.join('\n'));
        const own = `[Overworld] ${server.url} refuses the API key ow_dev_12345…: Invalid API key`;
        assert.equal(said[0], own);
        assert.match(said[1], /Events are dropped \(unsendable\)/i);
        assert.match(said[2], /The config value speed is .*string|"fast"/);
        assert.match(said[3], /No Overworld server answers at http:\/\/127\.0\.0\.1:1/);
      });
    }
  });
}

for (const engine of engines) {
  test(
    `${engine.name}: a base URL with a path is named, although only events are sent`,
    { skip: engine.skip },
    async (t) => {
      const server = await startRawServer(t, (socket) =>
        socket.end(reply('{"error":"Route not found"}', '404 Not Found')),
      );
      const { start } = await makeDevice(t, engine, `${server.url}/v1`, { api_key: 'ow_dev_1' });
      const game = await start();
      await game.call('track', { event_name: 'step' });
      assert.equal(await game.call('flush'), false);
      const words = `[Overworld] No Overworld server answers at ${server.url}/v1: Route not found`;
      assert.deepEqual(await game.call('said'), [words]);
    },
  );
}

const WRONG = [
  ['play.example.com', 'ow_dev_1', /address.* like .*not "play\.example\.com"/],
  ['ftp://play.example.com', 'ow_dev_1', /must be .*like https/],
  ['https://', 'ow_dev_1', /must be .*like https/],
  ['', 'ow_dev_1', /must be .*like https/],
  [NOWHERE, '', /key is missing/i],
  [NOWHERE, 'ow_dev_…', /not a key/],
  [NOWHERE, 'ow_dev_1 ', /not a key/],
] as const;

test('C#: a base URL or a key that cannot be right throws', { skip: csharp.skip }, async () => {
  for (const [base_url, api_key, words] of WRONG) {
    const start = csharp.start({ base_url, api_key, folder: '/nowhere' });
    await assert.rejects(start, words, base_url);
  }
});

test(
  'Godot: a base URL or a key that cannot be right is reported at once, and all calls fail with this error',
  { skip: godot.skip },
  async (t) => {
    const server = 'ow_srv_1';
    for (const [base_url, api_key, words] of [
      ...WRONG,
      [NOWHERE, server, /A server key must not be in a game/] as const,
    ]) {
      const { start } = await makeDevice(t, godot, base_url, { api_key });
      const game = await start();
      assert.match((await game.call('said'))[0], words);
      await game.call('track', { event_name: 'kept' });
      await assert.rejects(game.call('leaderboards.submit', { board: 'b', score: 1 }), {
        code: 'invalid_argument',
        message: words,
      });
    }
  },
);
