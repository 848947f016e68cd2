import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { makeGame, playGame, runScript, withoutGodot } from './game.ts';
import { GODOT } from './project.ts';

// Only an editor can load the script of the plugin, which has four lines of code.
const SCRIPTS = globSync('{addons,demo}/**/!(plugin).gd', { cwd: GODOT });

const LIST_WARNINGS = `extends SceneTree


func _init() -> void:
	for property: Dictionary in ProjectSettings.get_property_list():
		print(property["name"])
	quit()
`;
const COMPILE = `extends Node


func _ready() -> void:
	for path: String in OS.get_cmdline_user_args():
		var script: GDScript = load("res://" + path)
		if script.can_instantiate():
			print("compiles ", path)
	get_tree().quit()
`;

/** The lines of a project in which every warning of GDScript is an error, also in addons. */
async function listStrictSettings(t: TestContext): Promise<string[]> {
  const said = await runScript(t, LIST_WARNINGS);
  const names = [...said.matchAll(/^debug\/(gdscript\/warnings\/.*)$/gm)].map(([, name]) => name!);
  const isKind = (name: string) =>
    !/\/(enable|directory_rules|exclude_addons|renamed_\w+)$/.test(name);
  const kinds = names.filter(isKind);
  assert.ok(kinds.length > 40);
  return ['gdscript/warnings/directory_rules={}', ...kinds.map((name) => `${name}=2`)];
}

test(
  'no script has a warning when all warnings of GDScript are on',
  { skip: withoutGodot },
  async (t) => {
    const debug = await listStrictSettings(t);
    const guess = 'addons/other/guess.gd';
    const files = { [guess]: 'extends Node\n\nvar guess := 1\n' };
    const folder = await makeGame(t, { script: COMPILE, debug, files });
    const { stdout, stderr } = await playGame(folder, [...SCRIPTS, guess]);
    for (const path of SCRIPTS) assert.ok(stdout.includes(`compiles ${path}\n`), path);
    assert.match(stderr, /"guess" has an implicitly inferred .*Warning treated as error/);
    assert.doesNotMatch(stderr, /res:\/\/(addons\/overworld|demo)\//);
  },
);

test('no script of the addon silences a warning that it need not', () => {
  const silenced = SCRIPTS.flatMap((path) => [
    ...readFileSync(join(GODOT, path), 'utf8').matchAll(/@warning_ignore\w*\("(\w+)"/g),
  ]);
  const kinds = new Set(silenced.map(([, kind]) => kind));
  assert.deepEqual([...kinds].sort(), ['missing_await', 'return_value_discarded']);
});
