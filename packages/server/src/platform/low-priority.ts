import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Of 19 steps down: a process at it gets a tenth of a core that another at the usual priority wants
 * too, and still moves on, so that what waits for its locks is not held up for long.
 */
const LOW_PRIORITY = 10;

/**
 * Lets a process of this machine, or on Linux a thread by its number, work only when others leave it
 * time. Where the system forbids it, nothing happens: it is then as important as all others.
 * @param pid 0: the calling thread on Linux; else nothing, as there it would be the whole process.
 */
export function lowerPriority(pid: number): void {
  if (pid === 0 && process.platform !== 'linux') return;
  try {
    setPriority(pid, LOW_PRIORITY);
    // Desktops share the processor between sessions first, and each process of PostgreSQL is one.
    if (pid !== 0 && process.platform === 'linux') {
      writeFileSync(`/proc/${pid}/autogroup`, String(LOW_PRIORITY));
    }
  } catch {
    // Not ours to change.
  }
}
