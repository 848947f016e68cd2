import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import { listProblems, makeGame, OVERWORLD, playGame, withoutGodot } from './game.ts';

const QUIT = `extends Node


func _ready() -> void:
	get_tree().quit()
`;

describe('the start and the end of a Godot game', { skip: withoutGodot }, () => {
  test('calls before the start fail with words', async (t) => {
    const script = `extends Node


func _ready() -> void:
	Overworld.events_dropped.connect(func(reason: String, count: int, _e: Array, _m: String, _v: Array) -> void:
		prints("dropped", reason, count))
	Overworld.track("early")
	Overworld.set_player_id("p-1")
	Overworld.set_tracking_enabled(true)
	prints("counts", Overworld.get_queued_events(), Overworld.get_queued_calls(), Overworld.get_dropped_events())
	prints("player", Overworld.get_player_id() == "", Overworld.is_tracking_enabled(), Overworld.account.is_logged_in())
	prints("config", Overworld.config.get_value("speed", 3), await Overworld.flush())
	for result: OverworldResult in [
		await Overworld.identify({}),
		await Overworld.tags.add("t"),
		await Overworld.saves.load(),
		await Overworld.saves.save({}),
		await Overworld.saves.list(),
		await Overworld.leaderboards.submit("b", 1),
		await Overworld.leaderboards.page("b"),
		await Overworld.achievements.unlock("a"),
		await Overworld.config.load(),
		await Overworld.account.login_with("custom", {}),
		await Overworld.account.move_here("K7PM"),
		await Overworld.account.logout(),
	]:
		prints("result", result.error.code, result.error.message)
	await Overworld.close()
	Overworld.start("http://127.0.0.1:1", "ow_dev_1", {"tracking_enabled": false})
	Overworld.start("http://127.0.0.1:1", "ow_dev_1")
	prints("started", Overworld.is_tracking_enabled())
	get_tree().quit()
`;
    const folder = await makeGame(t, { script });
    const { stdout, stderr } = await playGame(folder);
    const lines = stdout.split('\n').filter((line) => /^[a-z]+ /.test(line));
    assert.deepEqual(lines.slice(0, 4), [
      'dropped not_started 1',
      'counts 0 0 1',
      'player true false false',
      'config 3 false',
    ]);
    const refused = 'result invalid_argument Call Overworld.start first';
    assert.deepEqual(lines.slice(4), [...Array(12).fill(refused), 'started false']);
    assert.deepEqual(listProblems(stderr), [
      'Overworld.track: call Overworld.start first',
      'Overworld.set_player_id: call Overworld.start first',
      'Overworld.set_tracking_enabled: call Overworld.start first',
      'Overworld.start is called once',
    ]);
  });

  test('an autoload before Overworld can await calls in its `_ready`', async (t) => {
    await using server = await startTestServer();
    const { development_key } = await server.makeGame();
    const early = `extends Node


func _ready() -> void:
	var given: PackedStringArray = OS.get_cmdline_user_args()
	Overworld.start(given[0], given[1])
	var loaded: OverworldResult = await Overworld.config.load()
	var first: OverworldResult = await Overworld.saves.save({"level": 1})
	Overworld.track("early")
	prints("early", loaded.ok, first.ok)
	await Overworld.close()
	get_tree().quit()
`;
    const folder = await makeGame(t, {
      script: 'extends Node\n',
      files: { 'early.gd': early },
      autoloads: { Early: 'early.gd', Overworld: OVERWORLD },
    });
    const { stdout, stderr } = await playGame(folder, [server.url, development_key]);
    assert.match(stdout, /^early true true$/m);
    assert.deepEqual(listProblems(stderr), []);
  });

  test('a game that ends leaves no object behind', async (t) => {
    await using server = await startTestServer();
    const { development_key } = await server.makeGame();
    const start = `	Overworld.start("${server.url}", "${development_key}")\n`;
    const bodies = [
      ['right after the start', `${start}	get_tree().quit()\n`],
      ['without a start', `	get_tree().quit()\n`],
      ['after the end', `${start}	await Overworld.close()\n	get_tree().quit()\n`],
      ['after a call', `${start}\tawait Overworld.leaderboards.page("b")\n\tget_tree().quit()\n`],
      [
        'while calls wait',
        `${start}\tOverworld.saves.save({})\n\tOverworld.config.load()\n\tOverworld.flush()\n` +
          '\tfor i: int in range(3):\n\t\tawait get_tree().process_frame\n\tget_tree().quit()\n',
      ],
      [
        'without a server',
        '\tOverworld.start("http://127.0.0.1:1", "ow_dev_1")\n\tOverworld.saves.save({})\n' +
          '\tawait get_tree().create_timer(0.5).timeout\n\tget_tree().quit()\n',
      ],
    ] as const;
    const folder = await makeGame(t, { script: QUIT });
    for (const [name, body] of bodies) {
      const script = `extends Node\n\n\nfunc _ready() -> void:\n${body}`;
      await writeFile(join(folder, 'game.gd'), script);
      const { stdout, stderr } = await playGame(folder, [], ['--verbose']);
      const leaks = (stdout + stderr).match(/^.*(Leaked instance|still in use|Orphan).*$/gm);
      const problems = listProblems(stderr).filter(
        (words) => !/No Overworld server answers/.test(words),
      );
      assert.deepEqual([...problems, ...(leaks ?? [])], [], name);
    }
  });

  test('an identity is whole after a crash between the renames of a write', async (t) => {
    const script = `extends Node


func _ready() -> void:
	Overworld.start("http://127.0.0.1:1", "ow_dev_1")
	prints("player", Overworld.get_player_id())
	get_tree().quit()
`;
    const folder = await makeGame(t, { script });
    const play = async () => /^player (\w{32})$/m.exec((await playGame(folder)).stdout)![1]!;
    const player_id = await play();
    const data = join(folder, '.local/share/godot/app_userdata/Game/overworld-development');
    const path = join(data, 'player');
    const identity = await readFile(path, 'utf8');
    // The old text has made room, and the new one does not have its name yet.
    await rename(path, `${path}.old`);
    await writeFile(`${path}.tmp`, identity);
    assert.equal(await play(), player_id);
    // The new text has its name, and the old one is not removed yet.
    await writeFile(`${path}.old`, '{"player_id":"old","device_id":"d","secret":"s"}');
    assert.equal(await play(), player_id);
    // The new text is cut.
    await writeFile(`${path}.tmp`, identity.slice(0, 20));
    assert.equal(await play(), player_id);
    assert.deepEqual(
      (await readdir(data)).filter((name) => name.endsWith('.old')),
      [],
    );
  });
});
