import { access, chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** A whole run keeps at most 0.8 GB there at a time. */
const LEAST_FREE_BYTES = 3e9;

/**
 * Makes the folder that everything temporary of a run is in, and that goes with the run, also what a
 * killed test left. In memory where that can be: databases there take half the time in the kernel, and a
 * sixth off a run. TMPDIR says where else.
 */
export async function makeTemporaryFolder() {
  const parent = !process.env.TMPDIR && (await isMemoryFit()) ? MEMORY : tmpdir();
  const path = await mkdtemp(join(parent, 'overworld-tests-'));
  // Under root PostgreSQL is another user, who has to pass.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Whether there is room, and programs may be run from there: in some containers they may not. */
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
