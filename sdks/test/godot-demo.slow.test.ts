import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../packages/server/test/harness.ts';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { gdscript, openProject } from './gdscript.ts';
import { user } from './gdscript/engine.ts';
import type { Control } from './gdscript/engine.ts';
import { openScene } from './gdscript/scene.ts';

/**
 * Opens the demo's window. `find` returns a control with this name, and `press` presses the button with this
 * name.
 */
async function openDemo(t: TestContext) {
  user.folder = await mkdtemp(join(tmpdir(), 'overworld-demo-'));
  const project = openProject();
  t.after(async () => {
    project.end();
    await rm(user.folder, { recursive: true });
  });
  const scene = openScene('demo/demo.tscn', project.runtime);
  const find = (name: string): Control => scene.get_node(`%${name}`);
  return {
    find,
    async press(name: string, words: RegExp) {
      assert.equal(find(name).disabled, false, `${name} cannot be pressed`);
      find(name).pressed.emit();
      const status = find('Status');
      await waitUntil(`${name}: ${words}`, async () => words.test(status.text));
    },
  };
}

test(
  'the demo of Godot connects, logs in, submits, shows the top ten, saves and loads',
  { skip: gdscript.skip },
  async (t) => {
    await using server = await startTestServer();
    const { development_key } = await server.makeGame();
    const { find, press } = await openDemo(t);
    assert.equal(find('Submit').disabled, true);
    find('Address').text = ` ${server.url}/ `;
    find('Key').text = development_key;
    await press('Connect', /^Connected\. .* as player [0-9a-f]{32}$/);
    const top = () => find('Top').text;
    await waitUntil('the board is read', async () => top() === 'Nobody has a score yet');
    await press('Load', /^There is no save yet$/);
    await press('LogIn', /^Hello, Juno$/);
    await press('Submit', /^You are number 1 of 1$/);
    await waitUntil('the board is read', async () => top() === '1.  4200  Juno');
    find('Note').text = 'Level 9';
    await press('Save', /^Saved as version 1$/);
    find('Note').text = '';
    await press('Load', /^Loaded version 1$/);
    assert.equal(find('Note').text, 'Level 9');

    const read = async (path: string) =>
      (await server.request('GET', path, { key: development_key })).body;
    const [{ player_id }] = (await read('/v1/leaderboards/demo')).entries;
    assert.equal((await read(`/v1/players/${player_id}`)).properties.name, 'Juno');
  },
);

test('the demo of Godot says why it cannot connect', { skip: gdscript.skip }, async (t) => {
  const { find, press } = await openDemo(t);
  find('Address').text = 'play.example.com';
  await press('Connect', /must be an address like .*\nStart the demo again/);
  assert.equal(find('Submit').disabled, true);
});
