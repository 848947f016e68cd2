import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { makeDevice, startServer } from './device.ts';
import { accept, askForTime, event } from './exchanges.ts';
import { gdscript } from './gdscript.ts';
import { Color, Node, Vector2, Vector3 } from './gdscript/engine.ts';
import { createRuntime, GODOT } from './gdscript/runtime.ts';
import { Dictionary } from './gdscript/values.ts';

const { skip } = gdscript;

test(
  'after a cancelled quit, waiting calls are sent and the session goes on',
  { skip },
  async (t) => {
    const server = await startServer(t);
    const { start } = await makeDevice(t, gdscript, server.url);
    const game = await start();
    server.expect([askForTime(), accept('key-1', event('session_start', 'a'))]);
    await game.call('cancel_quit');
    await waitUntil('it is sent', async () => (await game.call('reports')).queued === 0);
    server.verify();
    await game.call('track', { event_name: 'on' });
    server.expect([accept('key-2', event('on', 'a'))]);
    assert.equal(await game.call('flush'), true);
    server.verify();
  },
);

test('vectors and colors can be written as JSON, and objects cannot', { skip }, () => {
  const json = createRuntime().load('res://addons/overworld/core/json.gd');
  const write = (value: unknown) => json.write(new Dictionary([['value', value]]));
  assert.equal(write(new Vector2(1, 2.5)), '{"value":{"x":1.0,"y":2.5}}');
  assert.equal(write(new Vector3(1, 2, 3)), '{"value":{"x":1.0,"y":2.0,"z":3.0}}');
  assert.equal(write(new Color('ff8800ff')), '{"value":"#ff8800ff"}');
  assert.equal(write(new Node()), '');
});

test("the addon's folder is complete by itself, as the Asset Library requires", () => {
  const read = (path: string) => readFileSync(join(GODOT, path), 'utf8');
  const addon = 'addons/overworld';
  assert.match(read(`${addon}/LICENSE`), /Apache License/);
  assert.match(read(`${addon}/README.md`), /^# Overworld for Godot\n/);
  assert.match(read(`${addon}/plugin.cfg`), /^script="plugin\.gd"$/m);
  assert.match(read(`${addon}/icon.svg`), /width="128" height="128"/);
  const project = read('project.godot');
  for (const [, path] of project.matchAll(/"\*?res:\/\/([^"]+)"/g)) assert.ok(read(path!), path);
  assert.match(project, /^Overworld="\*res:\/\/addons\/overworld\/overworld\.gd"$/m);
});
