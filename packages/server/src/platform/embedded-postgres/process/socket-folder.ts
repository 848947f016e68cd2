import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';
import type { ProcessIdentity } from '../identity.ts';

/** The greatest length of a socket's path, on Linux and on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
/** The port is only a part of the socket's name, because PostgreSQL does not listen on the network. */
export const PORT = 5432;

/**
 * Makes the folder of the socket, which only PostgreSQL's user can open. It is in `home`, or in the folder
 * for temporary files if the path in `home` is too long. Files of an earlier run are removed, because the
 * socket's lock file contains a pid that may by now belong to another program.
 */
export function makeSocketFolder(home: string, { uid, gid }: ProcessIdentity): string {
  const name = `overworld-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const candidates = [join(home, 'socket'), join(tmpdir(), name), join('/tmp', name)];
  const folder = candidates.find(fits)!;
  try {
    rmSync(folder, { recursive: true, force: true });
    // Fails if another user has just made the folder, and would therefore own it.
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
