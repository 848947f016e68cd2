import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataFolder } from '../folder/data-folder.ts';
import { EmbeddedPostgresError } from '../error.ts';
import { readPostmasterFile, spawnPostmaster, stopPostmaster } from './postmaster.ts';
import { openServerLog } from './server-log.ts';
import type { ServerLog } from './server-log.ts';
import { chooseSettings } from './settings.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { startWatchdog } from './watchdog.ts';

const POLL_MS = 10;
const RECOVERY_NOTICE_INTERVAL_MS = 5_000;
/**
 * Sessions of a killed postmaster notice its death only at the end of their statements, which the server
 * limits to 30 s. Until then they hold the shared memory, so no new postmaster can start.
 */
const PREDECESSOR_PATIENCE_MS = 40_000;
const PREDECESSOR_POLL_MS = 200;
/** PostgreSQL's own default. */
const MODEST_SHARED_BUFFERS = '128MB';

interface LaunchOptions {
  log: (message: string) => void;
  settings?: Record<string, string>;
}

/** Starts a postmaster under a watchdog and waits until it accepts connections. */
export async function launch(folder: DataFolder, program: string, options: LaunchOptions) {
  const socketFolder = makeSocketFolder(folder.home, folder.identity);
  const serverLog = openServerLog(join(folder.home, 'postgres.log'));
  const settings = { ...chooseSettings(socketFolder), ...options.settings };
  // The watchdog starts before the postmaster, which is therefore hardly ever unguarded.
  const watchdog = startWatchdog(folder.identity);

  function spawnGuarded(): ChildProcess {
    const child = spawnPostmaster(program, folder, settings, serverLog.descriptor);
    if (child.pid !== undefined) watchdog.guard(child.pid);
    return child;
  }

  function cleanUp(): void {
    watchdog.dismiss();
    serverLog.close();
    removeSocketFolder(socketFolder, folder.home);
  }

  // PostgreSQL asks for a quarter of the memory. A system without memory overcommit may refuse that.
  function takeLessMemory(): boolean {
    if (settings['shared_buffers'] === MODEST_SHARED_BUFFERS) return false;
    options.log(
      `The system refuses PostgreSQL the memory that it should have; it starts with ${MODEST_SHARED_BUFFERS}, and reads from disk more often`,
    );
    settings['shared_buffers'] = MODEST_SHARED_BUFFERS;
    return true;
  }

  let child: ChildProcess;
  try {
    const attempt = { spawnGuarded, takeLessMemory };
    child = await startUntilReady(attempt, folder.cluster, serverLog, options.log);
  } catch (error) {
    cleanUp();
    throw error;
  }

  let stopping: Promise<void> | undefined;
  const exited = waitForEnd(child).then((ending) => {
    cleanUp();
    return stopping === undefined
      ? new EmbeddedPostgresError(
          `PostgreSQL ended unexpectedly (${ending}); its log is ${serverLog.path}.`,
        )
      : null;
  });

  return {
    socketFolder,
    /** Resolves when PostgreSQL has ended: with the reason if it died by itself, with null after stop(). */
    exited,
    stop() {
      stopping ??= (async () => {
        child.ref();
        await stopPostmaster(child.pid!, () => hasEnded(child));
        await exited;
      })();
      return stopping;
    },
  };
}

async function startUntilReady(
  attempt: { spawnGuarded: () => ChildProcess; takeLessMemory: () => boolean },
  cluster: string,
  serverLog: ServerLog,
  log: (message: string) => void,
): Promise<ChildProcess> {
  const deadline = Date.now() + PREDECESSOR_PATIENCE_MS;
  let told = false;
  for (;;) {
    const child = attempt.spawnGuarded();
    if (await becomesReady(child, cluster, log)) return child;
    const reason = serverLog.readFatalReason(child.pid) ?? 'it gave no reason';
    if (reason.startsWith('could not map anonymous shared memory') && attempt.takeLessMemory()) {
      continue;
    }
    if (!reason.startsWith('pre-existing shared memory block') || Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL did not start: ${reason} (its log is ${serverLog.path}).`,
      );
    }
    if (!told) log('Waiting for the last statements of a PostgreSQL that was killed');
    told = true;
    await sleep(PREDECESSOR_POLL_MS);
  }
}

/**
 * Waits until PostgreSQL is ready (true) or has ended (false). There is no time limit, because after a
 * crash PostgreSQL first replays its log.
 */
async function becomesReady(
  child: ChildProcess,
  cluster: string,
  log: (message: string) => void,
): Promise<boolean> {
  const ending = waitForEnd(child);
  let noticeAt = Date.now() + RECOVERY_NOTICE_INTERVAL_MS;
  while (!hasEnded(child)) {
    const file = readPostmasterFile(cluster);
    if (file?.pid === child.pid && file?.ready) return true;
    if (Date.now() > noticeAt) {
      log('PostgreSQL is still starting; after a crash it first replays its log');
      noticeAt = Date.now() + RECOVERY_NOTICE_INTERVAL_MS;
    }
    await sleep(POLL_MS);
  }
  await ending;
  return false;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Waits until the process ends, and describes in words how it ended. */
async function waitForEnd(child: ChildProcess): Promise<string> {
  try {
    if (!hasEnded(child)) await once(child, 'exit');
  } catch (error) {
    return (error as Error).message;
  }
  return child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`;
}
