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
 * Takes the lock on a data folder, or fails and names the process that has it.
 *
 * The lock is SQLite's lock on an empty database file, because Node has no flock. On Linux and macOS it
 * is a POSIX record lock: the kernel drops it however the holder dies, no child inherits it, and no pid
 * must be trusted. The pid beside it is for the message alone. This process must not open the lock file
 * itself, which would drop the lock.
 */
export async function acquireOwnershipLock(
  folder: string,
  shownFolder: string,
): Promise<OwnershipLock> {
  const pidFile = join(folder, 'owner.pid');
  const database = openLockFile(join(folder, 'owner.lock'), shownFolder);
  try {
    // On disk, each BEGIN would leave a journal beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY');
    // This takes RESERVED, which exactly one of several simultaneous starts gets. EXCLUSIVE can fail
    // for all of them over each other's SHARED locks.
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
    // SQLite opens a file that it may not write to, and fails only later. This fails now.
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

/** The owner writes its pid a moment after it takes the lock, so this reads a dead pid again. */
async function findLiveOwner(pidFile: string): Promise<number | null> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : NaN;
    if (pid > 0 && isAlive(pid)) return pid;
    await sleep(25);
  }
  return null;
}
