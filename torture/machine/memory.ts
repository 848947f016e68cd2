import { readFileSync } from 'node:fs';

/** Reads the resident memory of a process, in megabytes (Linux); 0 when the process has ended. */
export function readMemoryMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Reads the memory of a process four times a second. `stop` returns the highest value, in megabytes. */
export function watchMemory(pid: number): { stop(): number } {
  let most_mb = readMemoryMb(pid);
  const timer = setInterval(() => {
    most_mb = Math.max(most_mb, readMemoryMb(pid));
  }, 250);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(most_mb, readMemoryMb(pid));
    },
  };
}
