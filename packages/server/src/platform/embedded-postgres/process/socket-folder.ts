import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';
import type { ProcessIdentity } from '../identity.ts';

/** The maximum length of the path of a Unix socket. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
/**
 * The port in the name of the socket. It is never opened, because PostgreSQL does not listen on the network.
 */
export const PORT = 5432;

/**
 * Makes the folder for the socket, and lets only PostgreSQL's user open this folder. It is in `home`, or in
 * the folder for temporary files if the path in `home` is too long. Files of an earlier run are removed,
 * because the lock file of the socket contains a process id that may by now belong to another program.
 */
export function makeSocketFolder(home: string, { uid, gid }: ProcessIdentity): string {
  const name = `overworld-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const candidates = [join(home, 'socket'), join(tmpdir(), name), join('/tmp', name)];
  const folder = candidates.find(fits)!;
  try {
    rmSync(folder, { recursive: true, force: true });
    // Fails if another user has just made the folder, because that user would own it.
    mkdirSync(folder, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return folder;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot make the folder ${folder} for PostgreSQL's socket (${describeSystemError(error)}).`,
    );
  }
}

/** Removes the folder that makeSocketFolder made, if it is outside `home`. */
export function removeSocketFolder(folder: string, home: string): void {
  if (dirname(folder) !== home) rmSync(folder, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES;
}
