import { createReadStream, createWriteStream, existsSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describeSystemError } from '../embedded-postgres/error.ts';
import { StoreError } from './store-error.ts';

/** The place of a file that is being written. */
export interface FileTarget {
  /** The name of the place in messages. */
  readonly name: string;
  readonly stream: Writable;
  /**
   * Sends what `stream` has kept on this machine to the place, after the data was read. Null if `stream` has
   * kept nothing.
   */
  readonly send: ((signal: AbortSignal | undefined) => Promise<void>) | null;
  /** Reads what `stream` has stored, after its end. Null if it cannot be read, as from standard output. */
  readonly readBack: (() => Promise<Readable>) | null;
  /** Gives the file its name. */
  publish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** The end of the names of files that are not complete, or not checked. */
export const UNFINISHED = '.unfinished';

/**
 * Makes a file that gets its name when it is published. Only its owner may read it.
 * @param path The absolute path that the file gets.
 * @param advice The end of the sentence that tells why the file cannot be made.
 * @param options.unfinished The path until then.
 * @param options.replaces True if the file takes the place of one with the same name.
 * @throws StoreError when a file of this name exists and is not replaced, or the file cannot be made.
 */
export function createFile(
  path: string,
  advice: string,
  { unfinished = path + UNFINISHED, replaces = false } = {},
): FileTarget {
  if (!replaces && existsSync(path)) {
    throw new StoreError(`${path} is there already: choose another name.`);
  }
  const folder = dirname(path);
  const fd = openUnfinished(unfinished, `Cannot write to ${folder}`, advice);
  const stream = createWriteStream(unfinished, { fd, flush: true });
  return {
    name: path,
    stream,
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
    throw new StoreError(`${problem} (${describeSystemError(error)}): ${advice}.`);
  }
}

/** Makes sure that the new names in a folder outlive a loss of power. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

const WRITES = ['write', 'fsync', 'close', 'rename'];

/** Turns a failed write to a file into a sentence for the user; returns other errors unchanged. */
export function explainFailedWrite(error: unknown, name: string, end: string): unknown {
  if (!WRITES.includes((error as NodeJS.ErrnoException).syscall ?? '')) return error;
  return new StoreError(`Cannot write to ${name} (${describeSystemError(error)}), ${end}.`);
}
