// `npm run release` makes the folder `release` with the files of a release. Equal commits make equal files on
// machines of the same kind, with the same npm.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { RELEASE } from '../../packages/server/src/platform/release.ts';
import { packSdks } from '../../sdks/pack.ts';
import { hasChanges, listContainerContext, listServer, root } from './contents.ts';
import { writeTar } from './tar.ts';
import type { TarEntry } from './tar.ts';

const SUMS = 'SHA256SUMS';

/** Makes the files of a release in a folder, in place of its content. @returns their names. */
export async function makeRelease(folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const name = `overworld-${RELEASE}`;
  const inFolder = listServer().map((entry) => ({ ...entry, path: `${name}/${entry.path}` }));
  const names = [`${name}-${process.platform}-${process.arch}.tar.gz`, `${name}-container.tar.gz`];
  await writeArchive(join(folder, names[0]!), inFolder);
  await writeArchive(join(folder, names[1]!), listContainerContext());
  for (const [sdk, bytes] of Object.entries(packSdks())) {
    const path = join(folder, 'sdk', sdk);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    names.push(`sdk/${sdk}`);
  }
  names.sort();
  const sums: string[] = [];
  for (const each of names) sums.push(`${await hashFile(join(folder, each))}  ${each}\n`);
  writeFileSync(join(folder, SUMS), sums.join(''));
  return [...names, SUMS];
}

const writeArchive = (path: string, entries: readonly TarEntry[]) =>
  pipeline(Readable.from(writeTar(entries)), createGzip({ level: 9 }), createWriteStream(path));

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const folder = join(root, 'release');
  const names = await makeRelease(folder);
  if (hasChanges()) {
    console.log('The clone has changes that are not committed; they are in the files.');
  }
  console.log(`${folder} has ${names.length} files:\n${readFileSync(join(folder, SUMS), 'utf8')}`);
}
