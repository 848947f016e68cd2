import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import type { Engine } from '../engine.ts';
import { testTranscripts } from '../play-transcripts.ts';
import { godot, makeGodot } from './godot.ts';
import { godotBin, prepareProject } from './project.ts';

const PRESET = `
[preset.0]

name="Pack"
platform="Linux"
export_filter="all_resources"
script_export_mode=2

[preset.0.options]

binary_format/architecture="x86_64"
`;

let exporting: Promise<string> | undefined;
const exportGame = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-export-'));
  const project = join(folder, 'project');
  await cp(await prepareProject(), project, { recursive: true });
  await writeFile(join(project, 'export_presets.cfg'), PRESET);
  const args = ['--headless', '--path', project, '--export-pack', 'Pack', join(folder, 'game.pck')];
  await promisify(execFile)(godotBin, args, { env: { ...process.env, HOME: folder } });
  await rm(project, { recursive: true });
  return folder;
};
after(async () => exporting && rm(await exporting, { recursive: true }));

/** A game as players get it: one file with compiled scripts, so nothing can be written to `res://`. */
const exported: Engine = {
  ...godot,
  name: 'Godot, exported',
  async start(options) {
    exporting ??= exportGame();
    return await makeGodot({ pack: join(await exporting, 'game.pck') }).start(options);
  },
};

testTranscripts(exported, ['kept-saves.json', 'logins.json']);
