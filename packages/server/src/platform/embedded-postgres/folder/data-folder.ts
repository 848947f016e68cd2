import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from '../error.ts';
import { canEnter, choosePrivateIdentity, runsAsRoot } from '../identity.ts';
import type { ProcessIdentity } from '../identity.ts';
import { makeFolders } from './make-folders.ts';

/**
 * The folder for PostgreSQL's files when the server runs as root
 * and PostgreSQL's user cannot reach the data folder of the server.
 */
const SYSTEM_FOLDER = '/var/lib/overworld';

/** The folder `postgres` in the data folder, and the user that runs PostgreSQL in it. */
export interface DataFolder {
  /** The path, without symbolic links, of the folder with the cluster, its lock, its log and its socket. */
  home: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  identity: ProcessIdentity;
  notes: string[];
}

/**
 * Makes or finds the folder `postgres`, and finds the user that runs PostgreSQL: the
 * server's own user, or a private uid if the server runs as root. If that uid cannot reach
 * the data folder, `postgres` is a symbolic link to a folder under /var/lib/overworld.
 */
export function openDataFolder(dataDir: string): DataFolder {
  return runsAsRoot() ? openAsRoot(resolve(dataDir)) : openAsUser(resolve(dataDir));
}

function openAsUser(dataDir: string): DataFolder {
  const place = join(dataDir, 'postgres');
  makeFolders(place, 0o700);
  const home = realpathSync(place);
  return { home, cluster: join(home, 'cluster'), identity: {}, notes: [] };
}

function openAsRoot(dataDir: string): DataFolder {
  makePassableFolder(dataDir);
  const place = join(realpathSync(dataDir), 'postgres');
  if (!isThere(place)) {
    if (canEnter(choosePrivateIdentity(place), dirname(place))) makePassableFolder(place);
    else linkToSystemFolder(place);
  }
  const home = realpathSync(place);
  const cluster = join(home, 'cluster');
  const identity = findOwner(cluster) ?? findOwner(home) ?? choosePrivateIdentity(home);
  if (!canEnter(identity, home)) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root and cannot reach ${home} as another user: let others pass through the folders above it (chmod o+x), or move it.`,
    );
  }
  const moved = `PostgreSQL does not run as root and cannot reach ${dirname(place)} as another user, so its data is in ${home}.`;
  return { home, cluster, identity, notes: home === place ? [] : [moved] };
}

/**
 * Finds the owner of a path. Returns null if the path is missing
 * or belongs to root, because PostgreSQL cannot run as root.
 */
function findOwner(path: string): ProcessIdentity | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? null : { uid: stats.uid, gid: stats.gid };
}

/**
 * Makes a folder and the missing folders above it. Other users can
 * pass through these folders but not list them, whatever the umask is.
 */
function makePassableFolder(path: string): void {
  for (const made of makeFolders(path, 0o711)) chmodSync(made, 0o711);
}

function linkToSystemFolder(place: string): void {
  makePassableFolder(SYSTEM_FOLDER);
  const target = mkdtempSync(join(SYSTEM_FOLDER, 'data-'));
  chmodSync(target, 0o711);
  try {
    symlinkSync(target, place);
  } catch (error) {
    rmdirSync(target);
    // If another server has just made the link at its start, this server uses the folder of that link.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
