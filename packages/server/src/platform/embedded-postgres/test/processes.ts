import { readdirSync, readFileSync } from 'node:fs';

/** The session of a process. A terminal's signals reach the processes of one session. */
export function readSession(pid: number): number {
  const [, session] = /\) \S \d+ \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
  return Number(session);
}

/** The pids of the children of a process that have this name. */
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
