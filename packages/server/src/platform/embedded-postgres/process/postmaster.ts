import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from '../error.ts';
import type { DataFolder } from '../folder/data-folder.ts';

const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

/** Lines of the file postmaster.pid, which is part of the interface between PostgreSQL and pg_ctl. */
interface PostmasterFile {
  pid: number;
  socketFolder: string;
  ready: boolean;
}

/** Reads the file postmaster.pid; null when the file is missing or contains no pid. */
export function readPostmasterFile(cluster: string): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return null;
  return { pid, socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
}

/**
 * Spawns `postgres` in a session of its own, so Ctrl-C reaches only the server. The server then shuts
 * PostgreSQL down properly.
 */
export function spawnPostmaster(
  program: string,
  { cluster, identity }: DataFolder,
  settings: Record<string, string>,
  logDescriptor: number,
): ChildProcess {
  const args = ['-D', cluster];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', logDescriptor, logDescriptor],
  });
  // If the program cannot be started, the child has no pid. Callers check for that.
  child.on('error', () => {});
  child.unref();
  return child;
}

/**
 * Stops a postmaster, PostgreSQL's main process. It first gets the signal for a fast shutdown. If that takes
 * too long, it gets stronger signals, which do no more harm than a crash.
 */
export async function stopPostmaster(pid: number, hasEnded: () => boolean): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', IMMEDIATE_SHUTDOWN_MS],
  ];
  for (const [signal, patience_ms] of steps) {
    if (hasEnded()) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    const deadline = Date.now() + patience_ms;
    while (Date.now() < deadline) {
      if (hasEnded()) return;
      await sleep(POLL_MS);
    }
  }
}

/**
 * Clears the way for a new postmaster. The caller holds the lock of the data folder, so if a postmaster still
 * runs, the server that started it has died. Such a postmaster is stopped and not used further, because its
 * settings, binaries and watchdog may be old. A postmaster.pid with the pid of a zombie or of another program
 * is removed, because PostgreSQL would take that process for a living postmaster.
 */
export async function clearAway(cluster: string, log: (message: string) => void): Promise<void> {
  const file = readPostmasterFile(cluster);
  if (file === null) return;
  if (isPostmasterOf(file.pid, cluster)) {
    log('Stopping a PostgreSQL that an earlier server left running');
    try {
      await stopPostmaster(file.pid, () => !isPostmasterOf(file.pid, cluster));
    } catch {
      throw new EmbeddedPostgresError(
        `A PostgreSQL that an earlier server left running (process ${file.pid}) belongs to another user: stop it first.`,
      );
    }
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

/** Tells whether this pid belongs to a live postmaster of the cluster, not to a zombie or another program. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  return process.platform === 'linux'
    ? looksLikePostmasterInProc(pid, cluster)
    : looksLikePostmasterInPs(pid, cluster);
}

/** Tells whether there is a process with this pid, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function looksLikePostmasterInProc(pid: number, cluster: string): boolean {
  try {
    // A zombie's command line is empty.
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (basename(program) !== 'postgres') return false;
    return args.includes(cluster) || readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

function looksLikePostmasterInPs(pid: number, cluster: string): boolean {
  try {
    const args = ['-ww', '-o', 'stat=,command=', '-p', String(pid)];
    const line = execFileSync('ps', args, { encoding: 'utf8' });
    return !line.trimStart().startsWith('Z') && line.includes(`postgres -D ${cluster} `);
  } catch {
    return false;
  }
}
