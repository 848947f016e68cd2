import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ProcessIdentity } from '../identity.ts';

/**
 * The script of the watchdog, which guards a postmaster. The postmaster's pid is the script's argument or, if
 * the script has read pids from its input, the last of these. When the input ends without `done`, the server
 * has died. The script then sends the postmaster the signal for a fast shutdown.
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

/**
 * Starts the watchdog, a process that outlives this one just long enough to stop PostgreSQL. The watchdog
 * has a session of its own, so a signal to our whole process group does not reach it. It runs as
 * PostgreSQL's user, so it can never signal other users' processes.
 */
export function startWatchdog(identity: ProcessIdentity) {
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
    guard(pid: number) {
      guarded = pid;
      child.stdin!.write(`${pid}\n`);
    },
    /** Ends the watchdog without a signal to the postmaster. */
    dismiss() {
      dismissed = true;
      child.stdin!.end('done\n');
    },
  };
}
