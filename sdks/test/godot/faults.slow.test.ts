import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import type { TestGame, TestServer } from '../../../packages/server/test/harness.ts';
import { waitUntil } from '../../../packages/server/test/wait-until.ts';
import type { GameOptions } from '../engine.ts';
import { openGate } from '../gate.ts';
import { godot, openProject } from './godot.ts';
import type { GodotGame, ProjectOptions } from './godot.ts';

const HALF_HOUR_SECONDS = 1_800;

describe('A Godot game', { skip: godot.skip }, () => {
  let server: TestServer;
  let studio: TestGame;
  before(async () => {
    server = await startTestServer();
    studio = await server.makeGame();
  });
  after(() => server.close());

  /** Makes a device that keeps its data in `user://`, and starts a game on it again and again. */
  const makeDevice = async (t: TestContext, project: ProjectOptions = {}) => {
    const home = await mkdtemp(join(tmpdir(), 'overworld-home-'));
    const games: GodotGame[] = [];
    t.after(async () => {
      await Promise.all(games.map((game) => game.kill()));
      await rm(home, { recursive: true });
    });
    return async (options: Partial<GameOptions> = {}) => {
      const game = await openProject({ home, ...project });
      games.push(game);
      const { base_url = server.url, ...rest } = options;
      await game.call('start', { base_url, api_key: studio.production_key, options: rest });
      return game;
    };
  };
  const listEvents = async (player_id: string): Promise<string[]> => {
    const path = `/v1/players/${player_id}/timeline?limit=500`;
    const { body } = await server.request('GET', path, { key: studio.production_key });
    return (body.events ?? [])
      .map((event: { event_name: string }) => event.event_name)
      .toReversed();
  };
  const waitForEvents = (player_id: string, expected: string[]) =>
    waitUntil(`the server has ${expected}`, async () => {
      const stored = await listEvents(player_id);
      return JSON.stringify(stored) === JSON.stringify(expected);
    });

  test('keeps its player over restarts and kills', async (t) => {
    const start = await makeDevice(t);
    const first = await start();
    const player_id = await first.call('player_id');
    assert.match(player_id, /^[0-9a-f]{32}$/);
    await first.kill();
    assert.equal(await (await start()).call('player_id'), player_id);
  });

  test('makes its calls while the tree is paused and time stands nearly still', async (t) => {
    const start = await makeDevice(t);
    const gate = await openGate(server.url);
    t.after(() => gate.close());
    const options = { base_url: gate.url, player_id: 'paused', flush_interval_seconds: 0.2 };
    const game = await start(options);
    await game.run('tree.paused = true\nEngine.time_scale = 0.0001');
    gate.isShut = true;
    await game.call('track', { event_name: 'away' });
    const submit = game.call('leaderboards.submit', { board: 'paused', score: 7 });
    await game.run('await tree.create_timer(0.3, true, false, true).timeout');
    gate.isShut = false;
    assert.deepEqual(await submit, { rank: 1, score: 7, updated: true });
    await waitForEvents('paused', ['session_start', 'away']);
  });

  test('sends by itself when the network is back', async (t) => {
    const gate = await openGate(server.url);
    t.after(() => gate.close());
    const start = await makeDevice(t);
    const options = { base_url: gate.url, player_id: 'rider', flush_interval_seconds: 0.05 };
    gate.isShut = true;
    const game = await start(options);
    await game.call('track', { event_name: 'in the tunnel' });
    await assert.rejects(
      game.call('leaderboards.submit', { board: 'ride', score: 3 }),
      ({ isKept }: { isKept: boolean }) => isKept,
    );
    gate.isShut = false;
    await waitForEvents('rider', ['session_start', 'in the tunnel']);
    await waitUntil('the score is sent', async () => (await game.call('queued_calls')) === 0);
    const { entries } = (
      await server.request('GET', '/v1/leaderboards/ride', { key: studio.production_key })
    ).body;
    assert.deepEqual([entries.length, entries[0].score], [1, 3]);
  });

  test('finishes the calls of a scene that is replaced, and the scene says nothing', async (t) => {
    const start = await makeDevice(t);
    const game = await start({ player_id: 'hasty' });
    await game.run(`
      var script := GDScript.new()
      script.source_code = """
      extends Node
      func _ready() -> void:
        var result: OverworldResult = await Overworld.leaderboards.submit("scenes", 5)
        get_node("Label").text = str(result.ok)
      """.dedent()
      script.reload()
      var scene := Node.new()
      scene.set_script(script)
      tree.unload_current_scene()
      tree.root.add_child(scene)
      tree.current_scene = scene
      tree.change_scene_to_file("res://empty.tscn")`);
    await waitUntil('the score is stored', async () => {
      const { entries } = (
        await server.request('GET', '/v1/leaderboards/scenes', { key: studio.production_key })
      ).body;
      return entries?.length === 1;
    });
    assert.equal(await game.run('return tree.current_scene.name'), 'Empty');
    assert.equal(await game.call('queued_calls'), 0);
    assert.deepEqual(await game.call('said'), []);
  });

  test('sends its events when a phone puts it into the background', async (t) => {
    const start = await makeDevice(t);
    const game = await start({ player_id: 'caller', flush_interval_seconds: 1_000 });
    await game.call('track', { event_name: 'before the call' });
    await game.run('tree.root.propagate_notification(Node.NOTIFICATION_APPLICATION_PAUSED)');
    await waitForEvents('caller', ['session_start', 'before the call']);
  });

  test('ends its session when the player closes the window, and says nothing at its end', async (t) => {
    const start = await makeDevice(t);
    const options = { player_id: 'quitter', flush_interval_seconds: 1_000 };
    const game = await start(options);
    await game.call('track', { event_name: 'last words' });
    void game
      .run(`
      tree.root.propagate_notification(Node.NOTIFICATION_WM_CLOSE_REQUEST)
      tree.quit()`)
      .catch(() => undefined);
    await game.ended;
    const next = await start(options);
    assert.equal(await next.call('flush'), true);
    const ended = ['session_start', 'last words', 'session_end', 'session_start'];
    assert.deepEqual(await listEvents('quitter'), ended);
  });

  test('counts no time backwards when the clock of the device is set back or forward', async (t) => {
    const start = await makeDevice(t);
    const options = { player_id: 'traveller', flush_interval_seconds: 0.05 };
    const game = await start(options);
    await waitForEvents('traveller', ['session_start']);
    await game.call('advance', { seconds: -2 * HALF_HOUR_SECONDS });
    await game.call('track', { event_name: 'an hour earlier' });
    await waitForEvents('traveller', ['session_start', 'an hour earlier']);
    await game.call('leaderboards.submit', { board: 'clock', score: 1 });
    await game.call('close');
    const { body } = await server.request('GET', '/v1/players/traveller/timeline?limit=500', {
      key: studio.production_key,
    });
    const [ended] = body.events;
    assert.equal(ended.event_name, 'session_end');
    assert.ok(ended.properties.duration_ms >= 0);
  });
});
