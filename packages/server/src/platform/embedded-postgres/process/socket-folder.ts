import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';
import type { ProcessIdentity } from '../identity.ts';

/** Longest path of a socket on Linux and on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
/** A part of the socket's name. PostgreSQL listens on no network here. */
export const PORT = 5432;

/**
 * Makes the folder of the socket for PostgreSQL's user alone: in `home`, or among the temporary files
 * where that path is too long. Files of an earlier run are removed, because the socket's lock file holds
 * a pid that may by now belong to another program.
 */
export function makeSocketFolder(home: string, { uid, gid }: ProcessIdentity): string {
  const name = `overworld-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const candidates = [join(home, 'socket'), join(tmpdir(), name), join('/tmp', name)];
  const folder = candidates.find(fits)!;
  try {
    rmSync(folder, { recursive: true, force: true });
    // Fails when another user has just made the folder, which would then be theirs.
    mkdirSync(folder, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return folder;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot make the folder ${folder} for PostgreSQL's socket (${describeSystemError(error)}).`,
    );
  }
}

/** Removes the folder of makeSocketFolder where it is outside `home`. */
export function removeSocketFolder(folder: string, home: string): void {
  if (dirname(folder) !== home) rmSync(folder, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES;
}
