import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { makeSmallDisk } from '../../torture/machine/small-disk.ts';
import { makeDevice, startServer } from './device.ts';
import type { Engine } from './engine.ts';
import { engines } from './engines.ts';
import { accept, askForTime, event } from './exchanges.ts';
import type { Exchange } from './transcript.ts';

const expired = { status: 401, body: { error: 'API key has expired' } };
const save = (level: number, answer: Exchange['answer']): Exchange => ({
  request: {
    method: 'PUT',
    path: '/v1/saves',
    body: { player_id: 'p-1', version: 0, data: { level } },
  },
  answer,
});

/** Starts a game on a disk of its own. Skips the test if no disk can be made. */
async function startGame(t: TestContext, engine: Engine) {
  const disk = makeSmallDisk(1);
  if (disk === null) return t.skip('only root can make a disk');
  const server = await startServer(t);
  const { start } = await makeDevice(t, engine, server.url, { folder: join(disk.path, 'game') });
  t.after(() => disk[Symbol.dispose]());
  return { disk, server, start, game: await start() };
}

for (const engine of engines) {
  describe(`${engine.name} on a full disk`, { skip: engine.skip }, () => {
    test('an event that is stored in part spoils no other event', async (t) => {
      const started = await startGame(t, engine);
      if (!started) return;
      const { disk, server, start, game } = started;
      await game.call('track', { event_name: 'stored' });
      disk.fill();
      const properties = { text: 'x'.repeat(20_000) };
      await game.call('track', { event_name: 'no room', properties });
      disk.free();
      await game.call('track', { event_name: 'room again' });
      await game.kill();

      const kept = ['session_start', 'stored', 'room again'].map((name) => event(name, 's'));
      server.expect([askForTime(), accept('key-1', ...kept)]);
      const next = await start();
      assert.equal(await next.call('flush'), true);
      server.verify();
    });

    test('a save that finds no room leaves the kept save on the device', async (t) => {
      const started = await startGame(t, engine);
      if (!started) return;
      const { disk, server, start, game } = started;
      server.expect([save(1, expired)]);
      await assert.rejects(game.call('saves.save', { text: '{"level":1}' }), /unauthorized/);
      server.verify();
      disk.fill();
      server.expect([save(1, expired)]);
      await assert.rejects(game.call('saves.save', { text: '{"level":2}' }), /store_failed/);
      server.verify();
      await game.kill();
      disk.free();

      const stored = { success: true, version: 1, updated_at: '2030-01-01T00:00:00.000Z' };
      server.expect([
        save(1, { status: 200, body: stored }),
        accept('key-1', event('session_start', 's')),
      ]);
      const next = await start();
      assert.equal(await next.call('flush'), true);
      server.verify();
    });
  });
}
