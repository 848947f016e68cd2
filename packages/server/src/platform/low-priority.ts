import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * The niceness, of 19 steps. A process with it gets a tenth of a core while a process of normal
 * priority wants the same core. So the process still makes progress, and nothing waits for its locks
 * for long.
 */
const LOW_PRIORITY = 10;

/**
 * Lowers the priority of a process of this machine, or on Linux of a thread by its number. Where the
 * system forbids that, the priority stays as it is.
 * @param pid 0 is the calling thread on Linux. On other systems 0 would be the whole process, whose
 * priority stays as it is.
 */
export function lowerPriority(pid: number): void {
  if (pid === 0 && process.platform !== 'linux') return;
  try {
    setPriority(pid, LOW_PRIORITY);
    // Linux desktops divide the processor among sessions first, and each PostgreSQL process is a
    // session of its own.
    if (pid !== 0 && process.platform === 'linux') {
      writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
    }
  } catch {
    // The system forbids it.
  }
}
