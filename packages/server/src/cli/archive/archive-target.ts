import { createWriteStream, existsSync, openSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeSystemError } from '../../platform/embedded-postgres/error.ts';
import { CommandError } from '../command.ts';

/** The name of a file that stands for standard output, or for standard input. */
export const STANDARD_STREAM = '-';

/** Names the target of an archive for the user: the absolute path of the file, or standard output. */
export const nameTarget = (file: string): string =>
  file === STANDARD_STREAM ? 'standard output' : resolve(file);

/**
 * Opens the file for an archive, or for `-` standard output. A file gets its name when it is complete, and
 * only its owner may read it.
 * @throws CommandError when a file of this name exists, or the file cannot be made.
 */
export function openTarget(file: string) {
  if (file === STANDARD_STREAM) return openStandardOutput();
  if (existsSync(file)) throw new CommandError(`${file} is there already: choose another name.`);
  const unfinished = `${file}.unfinished`;
  const stream = createWriteStream(unfinished, { fd: openUnfinished(unfinished), flush: true });
  return {
    stream,
    is_gzip: file.endsWith('.gz'),
    complete: () => rename(unfinished, file),
    discard: () => {
      stream.destroy();
      return rm(unfinished, { force: true });
    },
  };
}

function openStandardOutput() {
  if (process.stdout.isTTY) {
    throw new CommandError(
      'A compressed backup is nothing for a terminal: send standard output to a file, as in overworld backup - > monday.ndjson.gz.',
    );
  }
  return {
    stream: createWriteStream('', { fd: process.stdout.fd, autoClose: false }),
    is_gzip: true,
    complete: async () => undefined,
    discard: async () => undefined,
  };
}

function openUnfinished(path: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (error) {
    throw new CommandError(
      `Cannot write to ${resolve(path, '..')} (${describeSystemError(error)}): choose a folder that this user may write to, or write to standard output, as in overworld backup - > monday.ndjson.gz.`,
    );
  }
}

/** Turns a failed write to an archive into a sentence for the user; returns other errors unchanged. */
export function explainFailedWrite(error: unknown, file: string): unknown {
  if ((error as NodeJS.ErrnoException).syscall !== 'write') return error;
  return new CommandError(
    `Cannot write to ${nameTarget(file)} (${describeSystemError(error)}), so there is no complete archive.`,
  );
}
