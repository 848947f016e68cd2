import { createReadStream, createWriteStream, existsSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describeSystemError } from '../../../platform/embedded-postgres/error.ts';
import { ArchiveError } from './archive-error.ts';

/** The place of an archive that is being written. */
export interface ArchiveTarget {
  /** The name of the place in messages. */
  readonly name: string;
  readonly stream: Writable;
  readonly is_gzip: boolean;
  /**
   * Sends what `stream` has kept on this machine to the place, after the data was read. Null if `stream` has
   * kept nothing.
   */
  readonly send: ((signal: AbortSignal | undefined) => Promise<void>) | null;
  /** Reads what `stream` has stored, after its end. Null if it cannot be read, as from standard output. */
  readonly readBack: (() => Promise<Readable>) | null;
  /** Gives the archive its name. */
  publish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** The end of the names of archives that are not complete, or not checked. */
export const UNFINISHED = '.unfinished';

/**
 * Makes the file for an archive. Only its owner may read it.
 * @param path The absolute path that the file gets when it is published.
 * @param advice The end of the sentence that tells why the file cannot be made.
 * @throws ArchiveError when a file of this name exists, or the file cannot be made.
 */
export function createArchiveFile(path: string, advice: string): ArchiveTarget {
  if (existsSync(path)) throw new ArchiveError(`${path} is there already: choose another name.`);
  const unfinished = path + UNFINISHED;
  const folder = dirname(path);
  const fd = openUnfinished(unfinished, `Cannot write to ${folder}`, advice);
  const stream = createWriteStream(unfinished, { fd, flush: true });
  return {
    name: path,
    stream,
    is_gzip: path.endsWith('.gz'),
    send: null,
    readBack: async () => createReadStream(unfinished),
    async publish() {
      await rename(unfinished, path);
      await flushFolder(folder);
    },
    async discard() {
      stream.destroy();
      await rm(unfinished, { force: true });
    },
  };
}

function openUnfinished(path: string, problem: string, advice: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new ArchiveError(`${problem} (${describeSystemError(error)}): ${advice}.`);
  }
}

/** Makes sure that the new name of a file outlives a loss of power. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const WRITES = ['write', 'fsync', 'close', 'rename'];

/** Turns a failed write to an archive into a sentence for the user; returns other errors unchanged. */
export function explainFailedWrite(error: unknown, name: string): unknown {
  if (!WRITES.includes((error as NodeJS.ErrnoException).syscall ?? '')) return error;
  return new ArchiveError(
    `Cannot write to ${name} (${describeSystemError(error)}), so there is no complete archive.`,
  );
}
