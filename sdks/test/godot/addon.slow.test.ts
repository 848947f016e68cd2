import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../packages/server/test/wait-until.ts';
import { makeDevice, startServer } from '../device.ts';
import { accept, askForTime, event } from '../exchanges.ts';
import { godot, openProject } from './godot.ts';

const { skip } = godot;
const NOTIFICATION_WM_CLOSE_REQUEST = 1006;

test(
  'after a cancelled quit, waiting calls are sent and the session goes on',
  { skip },
  async (t) => {
    const server = await startServer(t);
    const { start } = await makeDevice(t, godot, server.url);
    const game = await start();
    server.expect([askForTime(), accept('key-1', event('session_start', 'a'))]);
    await game.call('engine.notify', { what: NOTIFICATION_WM_CLOSE_REQUEST });
    await waitUntil('it is sent', async () => (await game.call('reports')).queued === 0);
    server.verify();
    await game.call('track', { event_name: 'on' });
    server.expect([accept('key-2', event('on', 'a'))]);
    assert.equal(await game.call('flush'), true);
    server.verify();
  },
);

test('vectors and colors can be written as JSON, and objects cannot', { skip }, async (t) => {
  const game = await openProject();
  t.after(() => game.kill());
  assert.deepEqual(await game.call('engine.write_values'), [
    '{"value":{"x":1.0,"y":2.5}}',
    '{"value":{"x":1.0,"y":2.0,"z":3.0}}',
    '{"value":"#ff8800ff"}',
    '',
  ]);
});
