import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../identity.ts';

/**
 * Guards the pid that it is started with, or the last that it reads. At the end of its input, without
 * having read `done`, the server is gone, however it died, and the guarded postmaster gets the signal
 * for a fast shutdown.
 */
const SCRIPT = `
trap '' HUP INT TERM
pid=$1
while read -r word; do
  case $word in
    done) exit 0 ;;
    *) pid=$word ;;
  esac
done
[ -n "$pid" ] && kill -INT "$pid"
`;

const RESPAWN_DELAY_MS = 100;

export interface Watchdog {
  guard(pid: number): void;
  /** Tells it that there is nothing left to guard; it ends. */
  dismiss(): void;
}

/**
 * Starts a process that outlives this one just long enough to stop PostgreSQL after it. It is in a
 * session of its own, so that what kills our whole process group leaves it alone, and runs as
 * PostgreSQL's user, so that it can never signal a stranger.
 */
export function startWatchdog(identity: ProcessIdentity): Watchdog {
  let guarded: number | null = null;
  let dismissed = false;
  let child = spawnShell();

  function spawnShell(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(guarded ?? '')], {
      ...identity,
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.stdin!.on('error', () => {});
    shell.on('error', () => {});
    shell.unref();
    (shell.stdin as unknown as { unref(): void }).unref();
    shell.on('exit', () => setTimeout(replace, RESPAWN_DELAY_MS).unref());
    return shell;
  }

  function replace(): void {
    if (!dismissed) child = spawnShell();
  }

  return {
    guard(pid) {
      guarded = pid;
      child.stdin!.write(`${pid}\n`);
    },
    dismiss() {
      dismissed = true;
      child.stdin!.end('done\n');
    },
  };
}
