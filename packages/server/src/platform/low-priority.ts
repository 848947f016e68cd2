import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * The niceness that stands for low priority. The greatest niceness is 19. A process with this
 * niceness gets a tenth of a core while a process of normal priority wants the same core. So the
 * process of low priority still makes progress, and other processes do not wait long for its locks.
 */
const LOW_PRIORITY = 10;

/**
 * Lowers the priority of a process on this machine, or, on Linux, of a thread. If the system forbids that,
 * the priority stays as it is.
 * @param pid The number of the process or thread. On Linux, 0 is the calling thread. On other systems, 0
 * would be the whole process, so nothing is changed.
 */
export function lowerPriority(pid: number): void {
  if (pid === 0 && process.platform !== 'linux') return;
  try {
    setPriority(pid, LOW_PRIORITY);
    // Linux desktops divide the processor among sessions before they divide it among processes, and each
    // PostgreSQL process is a session of its own.
    if (pid !== 0 && process.platform === 'linux') {
      writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
    }
  } catch {
    // The system forbids the change.
  }
}
