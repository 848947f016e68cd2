import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describeSystemError, EmbeddedPostgresError } from './error.ts';
import type { ProcessIdentity } from './identity.ts';

/** A socket's path may have 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
/** Only names the socket: PostgreSQL listens on no network here. */
export const PORT = 5432;

const TEMPORARY_PREFIX = 'overworld-socket-';

/** Makes the folder of the socket, for PostgreSQL's user alone: in `home`, or in /tmp where that path is too long. */
export function makeSocketFolder(home: string, identity: ProcessIdentity): string {
  try {
    const folder = join(home, 'socket');
    if (fits(folder)) {
      // With a predecessor's lock file, whose pid may be a stranger's by now.
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      return reserve(folder, identity);
    }
    const base = [realpathSync(tmpdir()), '/tmp'].find((path) =>
      fits(join(path, `${TEMPORARY_PREFIX}XXXXXX`)),
    );
    return reserve(mkdtempSync(join(base!, TEMPORARY_PREFIX)), identity);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot make a folder for PostgreSQL's socket (${describeSystemError(error)}).`,
    );
  }
}

/** Removes what makeSocketFolder made outside the data folder. */
export function removeSocketFolder(folder: string): void {
  if (!basename(folder).startsWith(TEMPORARY_PREFIX)) return;
  if (![realpathSync(tmpdir()), '/tmp'].includes(dirname(folder))) return;
  rmSync(folder, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH_BYTES;
}

function reserve(folder: string, { uid, gid }: ProcessIdentity): string {
  chmodSync(folder, 0o700);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}
