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
import { gunzipSync, gzipSync } from 'node:zlib';
import type { SDK_FILES } from '@overworld/contract/sdk-files';
import { zipSync } from 'fflate';
import type { Zippable } from 'fflate';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Places in the header of a tar archive. */
const BLOCK = 512;
const MODE = { at: 100, length: 8 };
const SIZE = { at: 124, length: 12 };
const SUM = { at: 148, length: 8 };

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

/** Makes the archive of a package. npm gives all files in it the same time, but not the same permissions. */
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
    return equalizeModes(readFileSync(join(to, archive)));
  } finally {
    rmSync(to, { recursive: true });
  }
}

/**
 * Gives all files of a packed archive (.tgz) the permissions 644, or 755 if their owner may run them. npm keeps
 * those of the checkout, which depend on the umask of the user who cloned it.
 */
function equalizeModes(archive: Uint8Array): Uint8Array {
  const tar = gunzipSync(archive);
  for (let at = 0; at < tar.length && tar[at] !== 0;) {
    const header = tar.subarray(at, at + BLOCK);
    const mode = (readOctal(header, MODE) & 0o100) === 0 ? 0o644 : 0o755;
    header.write(`${mode.toString(8).padStart(6, '0')} \0`, MODE.at);
    // The sum counts its own place as blanks.
    header.fill(' ', SUM.at, SUM.at + SUM.length);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, SUM.at);
    at += BLOCK * (1 + Math.ceil(readOctal(header, SIZE) / BLOCK));
  }
  return gzipSync(tar, { level: 9 });
}

const readOctal = (header: Buffer, { at, length }: { at: number; length: number }) =>
  Number.parseInt(header.toString('latin1', at, at + length), 8);

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
