import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../packages/server/test/wait-until.ts';
import { makeDevice, startServer } from '../device.ts';
import { accept, askForTime, event } from '../exchanges.ts';
import { godot, openProject } from './godot.ts';
import type { GodotGame } from './godot.ts';

const { skip } = godot;

test(
  'after a cancelled quit, waiting calls are sent and the session goes on',
  { skip },
  async (t) => {
    const server = await startServer(t);
    const { start } = await makeDevice(t, godot, server.url);
    const game = (await start()) as GodotGame;
    server.expect([askForTime(), accept('key-1', event('session_start', 'a'))]);
    await game.run(`
      tree.auto_accept_quit = false
      tree.root.propagate_notification(Node.NOTIFICATION_WM_CLOSE_REQUEST)`);
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
  const code = `
    var values := [Vector2(1, 2.5), Vector3(1, 2, 3), Color("ff8800ff"), tree]
    return values.map(func(value: Variant) -> String: return OverworldJson.write({"value": value}))`;
  assert.deepEqual(await game.run(code), [
    '{"value":{"x":1.0,"y":2.5}}',
    '{"value":{"x":1.0,"y":2.0,"z":3.0}}',
    '{"value":"#ff8800ff"}',
    '',
  ]);
});
