import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { copySources, godotBin, importProject } from './project.ts';

export const withoutGodot = godotBin ? false : 'no Godot was found';

/** A game that a script error stops would run for ever. */
const LONGEST_RUN_MS = 60_000;

export interface GameFiles {
  /** The script of the main scene. */
  script: string;
  /** Further files, by their paths. */
  files?: { [path: string]: string };
  /** Names of autoloads, with the paths of their scripts; those before `Overworld` are ready before it. */
  autoloads?: { [name: string]: string };
  /** Lines of `project.godot` in the section `[debug]`. */
  debug?: string[];
}

export const OVERWORLD = 'addons/overworld/overworld.gd';

/** Makes a project with the addon, and lets Godot import it. Returns its folder. */
export async function makeGame(t: TestContext, game: GameFiles): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-game-'));
  t.after(() => rm(folder, { recursive: true }));
  await copySources(folder);
  const autoloads = Object.entries(game.autoloads ?? { Overworld: OVERWORLD });
  const files = {
    'game.gd': game.script,
    'game.tscn': SCENE,
    'project.godot': [
      'config_version=5',
      '[application]',
      'config/name="Game"',
      'run/main_scene="res://game.tscn"',
      'run/flush_stdout_on_print=true',
      '[autoload]',
      ...autoloads.map(([name, path]) => `${name}="*res://${path}"`),
      '[debug]',
      ...(game.debug ?? []),
    ].join('\n'),
    ...game.files,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await importProject(folder);
  return folder;
}

const SCENE = `[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://game.gd" id="1"]

[node name="Game" type="Node"]
script = ExtResource("1")
`;

/** Plays a game until it quits. Its data is in the project's folder. */
export async function playGame(folder: string, args: string[] = [], options: string[] = []) {
  const command = ['--headless', '--path', folder, ...options, '--', ...args];
  const env = { ...process.env, HOME: folder };
  return await promisify(execFile)(godotBin, command, {
    env,
    timeout: LONGEST_RUN_MS,
    maxBuffer: 2 ** 24,
  });
}

/** Runs a script that extends SceneTree, in an empty project. Returns what it prints. */
export async function runScript(t: TestContext, script: string, args: string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-script-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'project.godot'), 'config_version=5\n');
  await writeFile(join(folder, 'main.gd'), script);
  const { stdout } = await playGame(folder, args, ['--script', 'res://main.gd']);
  return stdout;
}

/** Lists the errors and warnings in what Godot said. */
export const listProblems = (said: string): string[] =>
  [...said.matchAll(/(?:ERROR|WARNING): (.*)$/gm)].map(([, words]) => words!);
