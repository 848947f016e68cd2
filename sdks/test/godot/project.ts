import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const path = (url: string) => fileURLToPath(new URL(url, import.meta.url));
export const GODOT = path('../../godot/');
const DRIVER = path('project/');
const CACHE = path('../../../node_modules/.cache/godot/');
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The path of Godot; empty without one. */
export const godotBin = process.env.GODOT_BIN ?? '';

let prepared: Promise<string> | undefined;

/**
 * Makes a project with the addon, the demo and the driver, and lets Godot import it. This takes some seconds,
 * so the project is kept until one of these files changes. Returns its folder.
 */
export const prepareProject = (): Promise<string> => (prepared ??= prepare());

async function prepare(): Promise<string> {
  const folder = join(CACHE, digestSources());
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  await removeOldProjects();
  // Another process may prepare the same project.
  const unfinished = `${folder}-${randomUUID()}`;
  try {
    await copySources(unfinished);
    await importProject(unfinished);
    await rename(unfinished, folder).catch(() => undefined);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Copies the addon, the demo and the driver to a new folder. */
export async function copySources(folder: string): Promise<void> {
  await cp(DRIVER, folder, { recursive: true });
  for (const part of ['addons', 'demo']) {
    await cp(join(GODOT, part), join(folder, part), { recursive: true });
  }
}

/** Makes the folder `.godot`, in which Godot finds all classes. Throws if Godot says an error. */
export async function importProject(folder: string): Promise<void> {
  const options = { env: { ...process.env, HOME: folder }, timeout: 120_000 };
  const args = ['--headless', '--path', folder, '--import'];
  const { stderr } = await promisify(execFile)(godotBin, args, options);
  // Godot exits with 0 in spite of errors.
  if (/(ERROR|WARNING): /.test(stderr)) throw new Error(`Godot imports the project:\n${stderr}`);
}

function digestSources(): string {
  const hash = createHash('sha256').update(`${godotBin} ${statSync(godotBin).mtimeMs}`);
  for (const root of [DRIVER, join(GODOT, 'addons'), join(GODOT, 'demo')]) {
    for (const file of globSync('**/*', { cwd: root }).sort()) {
      const full = join(root, file);
      if (statSync(full).isFile()) hash.update(file).update(readFileSync(full));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOldProjects(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const { mtimeMs } = await stat(join(CACHE, name));
    if (Date.now() - mtimeMs > DAY_MS) await rm(join(CACHE, name), { recursive: true });
  }
}
