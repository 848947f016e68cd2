import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolders } from '../embedded-postgres/folder/make-folders.ts';
import type { FileTarget } from './file-target.ts';

/** A tenth of the disk stays free for the database, and for whatever else is on it. */
const FREE_SHARE = 0.1;
const READ_BYTES = 1024 * 1024;

/**
 * Keeps what is written for `target` in a file of `folder`, and sends it on by `send`, so that the place may
 * be slow while nobody waits for it. What finds no room is sent on at once, after all before it.
 *
 * The file has no name, so that it is gone whenever the process ends. Without a file in `folder`, `target` is
 * returned.
 */
export async function spoolFile(target: FileTarget, folder: string): Promise<FileTarget> {
  const file = await openNameless(folder);
  if (file === null) return target;
  let kept_bytes = 0;
  let is_sent = false;

  const readKept = async function* () {
    for (let at = 0; at < kept_bytes;) {
      const block = Buffer.allocUnsafe(Math.min(READ_BYTES, kept_bytes - at));
      const { bytesRead } = await file.read(block, 0, block.length, at);
      if (bytesRead === 0) throw new Error(`The file in ${folder} became shorter`);
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  };
  /** @returns false if there is no room. */
  const keep = async (chunk: Buffer): Promise<boolean> => {
    const { bavail, blocks, bsize } = await statfs(folder);
    if (bavail * bsize - chunk.length < FREE_SHARE * blocks * bsize) return false;
    try {
      await file.writeFile(chunk);
    } catch (error) {
      if (!/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return false;
    }
    kept_bytes += chunk.length;
    return true;
  };
  const stream = Duplex.from(async (chunks: AsyncIterable<Buffer>, { signal }: AbortController) => {
    const rest = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      if (await keep(next.value)) continue;
      const all = async function* () {
        yield* readKept();
        yield next.value;
        yield* { [Symbol.asyncIterator]: () => rest };
      };
      is_sent = true;
      return pipeline(all, target.stream, { signal });
    }
  });
  return {
    ...target,
    stream,
    async send(signal) {
      if (!is_sent) await pipeline(readKept, target.stream, { signal });
      await file.close();
    },
    async discard() {
      stream.destroy();
      await file.close().catch(() => undefined);
      await target.discard();
    },
  };
}

/** Opens a file that only its owner may read, and takes its name away. @returns null if there can be none. */
async function openNameless(folder: string): Promise<FileHandle | null> {
  const path = join(folder, `backup-${randomUUID()}.spool`);
  let file: FileHandle | null = null;
  try {
    makeFolders(folder, 0o711);
    file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  } catch {
    await file?.close();
    return null;
  }
}
