import { readdirSync, readFileSync } from 'node:fs';

/** Reads the session id of a process. A terminal's signals reach only the processes of one session. */
export function readSession(pid: number): number {
  const [, session] = /\) \S \d+ \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
  return Number(session);
}

/** Lists the pids of those children of a process that have this name. */
export function listChildren(parent: number, name: string): number[] {
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => {
    try {
      const [, program, ppid] = /^\d+ \((.+)\) \S (\d+)/.exec(
        readFileSync(`/proc/${pid}/stat`, 'utf8'),
      )!;
      return Number(ppid) === parent && program === name;
    } catch {
      return false;
    }
  });
}
