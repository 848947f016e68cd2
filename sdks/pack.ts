// `npm run build:sdks` writes the files that a server gives out at `/sdk/…`. Equal sources make equal bytes, so
// all servers of a release answer with the same ETags.
import { spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SDK_FILES } from '@overworld/contract/sdk-files';
import { zipSync } from 'fflate';
import type { Zippable } from 'fflate';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Makes all files of the SDKs. Also brings `packages/sdk/dist` up to date. */
export function packSdks(): Record<keyof typeof SDK_FILES, Uint8Array> {
  const npm = packForNpm('packages/sdk');
  return {
    'overworld-sdk.tgz': npm,
    'overworld.js': readModule(),
    'godot.zip': zipAddon(),
    // Unity's Package Manager reads the archives of npm.
    'unity.tgz': packForNpm('sdks/unity'),
  };
}

/** Makes the archive of a package. npm gives all files in it the same time. */
function packForNpm(folder: string): Uint8Array {
  const to = mkdtempSync(join(tmpdir(), 'overworld-pack-'));
  try {
    const args = ['pack', `./${folder}`, '--silent', '--pack-destination', to];
    const packing = spawnSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const [archive] = readdirSync(to);
    if (packing.status !== 0 || archive === undefined) {
      throw new Error(`${folder} could not be packed:\n${packing.stdout}${packing.stderr}`);
    }
    return readFileSync(join(to, archive));
  } finally {
    rmSync(to, { recursive: true });
  }
}

/** Reads the module for pages, without the comment that names its source map, which is not given out. */
function readModule(): Uint8Array {
  const module = readFileSync(join(root, 'packages/sdk/dist/overworld.js'), 'utf8');
  return Buffer.from(module.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}

function zipAddon(): Uint8Array {
  const cwd = join(root, 'sdks/godot');
  const files: Zippable = {};
  for (const entry of globSync('addons/**/*', { cwd, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(cwd.length + 1).replaceAll('\\', '/')] = readFileSync(path);
  }
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  // Archives hold local times, so this time is the same in every zone.
  return zipSync(sorted, { level: 9, mtime: new Date(1980, 0, 1) });
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const folder = join(root, 'packages/server/dist/sdk');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(packSdks())) writeFileSync(join(folder, name), bytes);
}
