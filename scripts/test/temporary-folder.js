import { access, chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/**
 * The folder is in memory only if at least this many bytes of memory are free. A run uses at most 0.8 GB at a
 * time.
 */
const LEAST_FREE_BYTES = 3e9;

/**
 * Makes the folder for all temporary files of a run, and removes it at the end, with any files that killed
 * tests have left. The variable TMPDIR chooses the place of the folder. By default the folder is in memory if
 * possible, because databases there need only half as much CPU time of the kernel.
 */
export async function makeTemporaryFolder() {
  const parent = !process.env.TMPDIR && (await isMemoryFit()) ? MEMORY : tmpdir();
  const path = await mkdtemp(join(parent, 'overworld-tests-'));
  // When root runs this, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Tells whether `/dev/shm` has enough room, and whether programs may run from it. Some containers forbid
 * that.
 */
async function isMemoryFit() {
  try {
    const { bavail, bsize } = await statfs(MEMORY);
    if (Math.min(bavail * bsize, process.availableMemory()) < LEAST_FREE_BYTES) return false;
    const probe = await mkdtemp(join(MEMORY, 'overworld-probe-'));
    try {
      await writeFile(join(probe, 'program'), '', { mode: 0o755 });
      await access(join(probe, 'program'), constants.X_OK);
      return true;
    } finally {
      await rm(probe, { recursive: true });
    }
  } catch {
    return false;
  }
}
