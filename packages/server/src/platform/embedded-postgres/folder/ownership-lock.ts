import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';
import { isAlive } from '../process/postmaster.ts';

const SQLITE_BUSY = 5;

export interface OwnershipLock {
  release(): void;
}

/**
 * Takes the lock on a data folder, or fails with an error that names the process that holds the lock.
 *
 * The lock is SQLite's lock on an empty database file, because Node has no flock. On Linux and macOS it is
 * a POSIX record lock: the kernel drops it however its holder dies, no child process inherits it, and no
 * stored pid has to be trusted. The pid in the file beside it is only for the error message. This process
 * must not open and close the lock file in any other way: that would drop the lock.
 */
export async function acquireOwnershipLock(
  folder: string,
  shownFolder: string,
): Promise<OwnershipLock> {
  const pidFile = join(folder, 'owner.pid');
  const database = openLockFile(join(folder, 'owner.lock'), shownFolder);
  try {
    // With a journal on disk, each BEGIN would leave a journal file beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY');
    // This takes SQLite's RESERVED lock, which exactly one of several simultaneous starts gets. With
    // EXCLUSIVE, all of these starts can fail, because each of them holds a SHARED lock.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw unlockable(shownFolder, (error as Error).message);
    }
    const owner = await findLiveOwner(pidFile);
    throw new EmbeddedPostgresError(
      `Another Overworld server${owner === null ? '' : ` (process ${owner})`} is already using the data folder ${shownFolder}: stop it first, or give this one a folder of its own with DATA_DIR.`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return { release: () => database.close() };
}

function openLockFile(path: string, shownFolder: string): DatabaseSync {
  try {
    // SQLite opens even a file that it may not write to, and fails only later. This write fails
    // immediately.
    writeFileSync(path, '', { flag: 'a', mode: 0o600 });
    return new DatabaseSync(path);
  } catch (error) {
    throw unlockable(shownFolder, describeSystemError(error));
  }
}

function unlockable(shownFolder: string, cause: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot take ownership of the data folder ${shownFolder} (${cause}): start the server as the user who owns it, or choose another folder with DATA_DIR.`,
  );
}

/**
 * Finds the process that holds the lock. That process writes its pid shortly after it takes the lock, so
 * the file is read again while it has the pid of a dead process.
 */
async function findLiveOwner(pidFile: string): Promise<number | null> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : NaN;
    if (pid > 0 && isAlive(pid)) return pid;
    await sleep(25);
  }
  return null;
}
