import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeSystemError, EmbeddedPostgresError } from '../error.ts';

const SQLITE_BUSY = 5;

export interface OwnershipLock {
  release(): void;
}

/**
 * Takes the one lock that decides who owns a data folder, or fails naming the process that has it.
 *
 * The lock is SQLite's own on an empty database file: a POSIX record lock on Linux and macOS, which
 * the kernel drops with its holder however that dies, which no child inherits, and which needs no
 * pid to be trusted. (Node has no flock.) The pid is written beside it only for the message;
 * opening the lock file itself from this process would drop the lock.
 */
export async function acquireOwnershipLock(
  folder: string,
  shownFolder: string,
): Promise<OwnershipLock> {
  const pidFile = join(folder, 'owner.pid');
  const database = openLockFile(join(folder, 'owner.lock'), shownFolder);
  try {
    // In memory, or each BEGIN would leave a journal beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY');
    // RESERVED, not EXCLUSIVE: of any number of simultaneous starts exactly one gets it, while
    // EXCLUSIVE can fail for all of them over each other's SHARED locks.
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
    // SQLite opens a file it may not write read-only, and says so only later; this says it now.
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

/** The winner writes its pid a moment after it has the lock, so a pid that is not alive is read again. */
async function findLiveOwner(pidFile: string): Promise<number | null> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = readPid(pidFile);
    if (pid !== null && isAlive(pid)) return pid;
    await sleep(25);
  }
  return null;
}

function readPid(pidFile: string): number | null {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
