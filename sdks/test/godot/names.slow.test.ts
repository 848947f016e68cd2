import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../../packages/server/test/harness.ts';
import { listProblems, makeGame, OVERWORLD, playGame, runScript, withoutGodot } from './game.ts';
import { GODOT } from './project.ts';

const GAME = `extends Node


func _ready() -> void:
	var given: PackedStringArray = OS.get_cmdline_user_args()
	Overworld.start(given[0], given[1])
	Overworld.track("level_complete")
	var entry: OverworldResult = await Overworld.leaderboards.submit("b", 42)
	var kept: OverworldResult = await Overworld.saves.save({"level": 2})
	var is_sent: bool = await Overworld.flush()
	if entry.ok and kept.ok and is_sent and Overworld.account.is_logged_in():
		prints("rank", entry.value["rank"], "version", kept.value["version"])
	await Overworld.close()
	get_tree().quit()
`;
/** Names that games often have, whether or not a script of the addon uses them. */
const COMMON = ['Player', 'Config', 'Session', 'Storage', 'Account', 'Connection', 'Saves', 'Tags'];

/** All words that the addon's scripts use as names. */
function listWords(): string[] {
  const words = new Set(COMMON);
  for (const path of globSync('addons/**/*.gd', { cwd: GODOT })) {
    const text = readFileSync(join(GODOT, path), 'utf8').replaceAll(/"(\\.|[^"\\])*"|#.*$/gm, ' ');
    for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  }
  return [...words].filter((word) => !word.startsWith('Overworld'));
}

/** Prints which words a class of a game may have as its name: no type of the engine, no keyword. */
const CHOOSE = `extends SceneTree


func _init() -> void:
	for word: String in OS.get_cmdline_user_args():
		var script: GDScript = GDScript.new()
		script.source_code = "class_name %s\\nextends Node\\n" % word
		if script.reload() == OK:
			print("name " + word)
	quit()
`;

async function chooseNames(t: TestContext): Promise<string[]> {
  const chosen = await runScript(t, CHOOSE, listWords());
  const names = [...chosen.matchAll(/^name (\w+)$/gm)].map(([, word]) => word!);
  for (const name of [...COMMON, 'request', 'MAX_EVENTS']) assert.ok(names.includes(name), name);
  return names;
}

async function play(t: TestContext, folder: string) {
  await using server = await startTestServer();
  const { development_key } = await server.makeGame();
  const { stdout, stderr } = await playGame(folder, [server.url, development_key]);
  assert.deepEqual(listProblems(stderr), []);
  assert.match(stdout, /^rank 1 version 1$/m);
}

describe("the addon's names and the game's", { skip: withoutGodot }, () => {
  test('a game may name its classes like anything in the addon', async (t) => {
    const names = await chooseNames(t);
    const files = Object.fromEntries(
      names.map((name) => [`names/${name}.gd`, `class_name ${name}\nextends RefCounted\n`]),
    );
    await play(t, await makeGame(t, { script: GAME, files }));
  });

  test('a game may name its autoloads like anything in the addon', async (t) => {
    const names = await chooseNames(t);
    const paths = Object.fromEntries(names.map((name) => [name, 'autoload.gd']));
    const files = { 'autoload.gd': 'extends Node\n' };
    const autoloads = { ...paths, Overworld: OVERWORLD };
    await play(t, await makeGame(t, { script: GAME, files, autoloads }));
  });
});
