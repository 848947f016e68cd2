import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtExit } from './endings.ts';

/** A small disk in memory, which only root on Linux can make. */
export interface SmallDisk extends Disposable {
  path: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Removes the file that fills the disk. */
  free(): void;
  setReadOnly(read_only: boolean): void;
}

const MEGABYTE = 1024 * 1024;

/** Makes a small disk. Returns null if the system is not Linux or the user is not root. */
export function makeSmallDisk(size_mb: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const path = mkdtempSync(join(tmpdir(), 'overworld-disk-'));
  const run = (command: string, args: string[]) => spawnSync(command, args).status === 0;
  if (!run('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m,mode=755`, 'tmpfs', path])) {
    rmdirSync(path);
    return null;
  }
  chmodSync(path, 0o755);
  const remove = () => {
    // The disk is unmounted lazily, because a process that was killed may still be ending.
    run('umount', ['-l', path]);
    rmdirSync(path);
  };
  const forget = endAtExit(remove);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (let size = MEGABYTE; size >= 1;) {
          try {
            writeSync(file, Buffer.alloc(size));
          } catch {
            size = Math.floor(size / 4);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    setReadOnly(read_only) {
      if (!run('mount', ['-o', `remount,${read_only ? 'ro' : 'rw'}`, path])) {
        throw new Error(`${path} cannot be made ${read_only ? 'read-only' : 'writable'}`);
      }
    },
    [Symbol.dispose]() {
      remove();
      forget();
    },
  };
}
