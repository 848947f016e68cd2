import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Game } from './engine.ts';
import { engines } from './engines.ts';
import { API_KEY, startScriptedServer } from './transcript.ts';
import type { Exchange } from './transcript.ts';

const event = (event_name: string, session: string, properties?: object) => ({
  event_name,
  session_id: `{${session}}`,
  player_id: 'p-1',
  ...(properties ? { properties } : {}),
  client_timestamp: '{time}',
});
const accept = (key: string, ...body: object[]): Exchange => ({
  request: {
    method: 'POST',
    path: '/v1/track',
    headers: { 'idempotency-key': `{${key}}` },
    body,
  },
  answer: { status: 202, body: { received: body.length, quota: { remaining: 9, limit: 10 } } },
});

/** A game that has not heard the server's time asks for it before its first batch. */
const askForTime: Exchange = {
  request: { method: 'GET', path: '/v1/config' },
  answer: { status: 200, body: { config: {}, version: 0 } },
};

for (const engine of engines) {
  test(
    `${engine.name}: a session goes on over a restart, and ends by a pause of half an hour`,
    {
      skip: engine.skip,
    },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'overworld-sessions-'));
      const server = await startScriptedServer();
      const games: Game[] = [];
      t.after(async () => {
        await Promise.all(games.map((game) => game.kill()));
        await server.close();
        await rm(folder, { recursive: true });
      });
      const start = async () => {
        const options = { base_url: server.url, api_key: API_KEY, player_id: 'p-1', folder };
        const game = await engine.start(options);
        games.push(game);
        return game;
      };

      const first = await start();
      server.expect([askForTime, accept('key-1', event('session_start', 'a'))]);
      assert.equal(await first.call('flush'), true, JSON.stringify(await first.call('reports')));
      await first.kill();

      const second = await start();
      await second.call('track', { event_name: 'on' });
      await second.call('advance', { seconds: 29 * 60 });
      await second.call('track', { event_name: 'still' });
      await second.call('advance', { seconds: 31 * 60 });
      await second.call('track', { event_name: 'again' });
      server.expect([
        askForTime,
        accept(
          'key-2',
          event('on', 'a'),
          event('still', 'a'),
          event('session_end', 'a', { duration_ms: '{whole}' }),
          event('session_start', 'b'),
          event('again', 'b'),
        ),
      ]);
      assert.equal(await second.call('flush'), true);
      server.verify();
    },
  );
}
