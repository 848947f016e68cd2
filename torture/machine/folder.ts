import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtExit } from './endings.ts';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

/**
 * Makes an empty folder that other users may enter, because PostgreSQL runs as another user if root starts
 * it.
 */
export async function makeFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'overworld-torture-'));
  await chmod(path, 0o755);
  const forget = endAtExit(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      forget();
    },
  };
}
