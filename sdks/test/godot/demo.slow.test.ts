import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import { waitUntil } from '../../../packages/server/test/wait-until.ts';
import { godot, openProject } from './godot.ts';

/** Opens the demo's window. `press` presses the button with this name, and waits for the words of the demo. */
async function openDemo(t: TestContext) {
  const game = await openProject();
  t.after(() => game.kill());
  await game.run('tree.change_scene_to_file("res://demo/demo.tscn")');
  await waitUntil('the demo is open', () => game.run('return tree.current_scene.name == "Demo"'));
  const find = (name: string) => `tree.current_scene.get_node("%${name}")`;
  const get = (name: string, property = 'text') => game.run(`return ${find(name)}.${property}`);
  return {
    get,
    write: (name: string, value: string) =>
      game.run(`${find(name)}.text = args["value"]`, { value }),
    async press(name: string, words: RegExp) {
      assert.equal(await get(name, 'disabled'), false, `${name} cannot be pressed`);
      await game.run(`${find(name)}.pressed.emit()`);
      await waitUntil(`${name}: ${words}`, async () => words.test(await get('Status')));
    },
  };
}

test(
  'the demo of Godot connects, logs in, submits, shows the top ten, saves and loads',
  { skip: godot.skip },
  async (t) => {
    await using server = await startTestServer();
    const { development_key } = await server.makeGame();
    const { get, write, press } = await openDemo(t);
    assert.equal(await get('Submit', 'disabled'), true);
    await write('Address', ` ${server.url}/ `);
    await write('Key', development_key);
    await press('Connect', /^Connected\. .* as player [0-9a-f]{32}$/);
    const top = () => get('Top');
    await waitUntil('the board is read', async () => (await top()) === 'Nobody has a score yet');
    await press('Load', /^There is no save yet$/);
    await press('LogIn', /^Hello, Juno$/);
    await press('Submit', /^You are number 1 of 1$/);
    await waitUntil('the board is read', async () => (await top()) === '1.  4200  Juno');
    await write('Note', 'Level 9');
    await press('Save', /^Saved as version 1$/);
    await write('Note', '');
    await press('Load', /^Loaded version 1$/);
    assert.equal(await get('Note'), 'Level 9');

    const read = async (path: string) =>
      (await server.request('GET', path, { key: development_key })).body;
    const [{ player_id }] = (await read('/v1/leaderboards/demo')).entries;
    assert.equal((await read(`/v1/players/${player_id}`)).properties.name, 'Juno');
  },
);

test('the demo of Godot says why it cannot connect', { skip: godot.skip }, async (t) => {
  const { get, write, press } = await openDemo(t);
  await write('Address', 'play.example.com');
  await press('Connect', /must be an address like .*\nStart the demo again/);
  assert.equal(await get('Submit', 'disabled'), true);
});
