import { readdirSync, readFileSync } from 'node:fs';

/** The length, in microseconds, of the ticks that /proc counts: a hundredth of a second on every Linux. */
const TICK_US = 10_000;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** User and system time in microseconds, including the times of ended children that were waited for. */
  cpu_us: number;
}

function readTimes(pid: number): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces. The fields after it contain none.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { pid, parent: Number(fields[1]), cpu_us: ticks * TICK_US };
  } catch {
    return null;
  }
}

/** Reads the CPU time that a process and its descendants have used so far, in microseconds, on Linux. */
export function readTreeCpu(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times !== null);
  const tree = new Set([root]);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of all) {
      if (tree.has(parent) && !tree.has(pid)) {
        tree.add(pid);
        grown = true;
      }
    }
  }
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, { cpu_us }) => sum + cpu_us, 0);
}

/** Reads the CPU time that one process has used without its descendants, in microseconds. */
export const readOwnCpu = (pid: number): number => readTimes(pid)?.cpu_us ?? 0;

/** Reads the resident memory of a process, in megabytes. */
export function readMemoryMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}
