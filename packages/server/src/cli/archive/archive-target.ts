import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { createArchiveFile } from '../../features/backups/archive/archive-file.ts';
import type { ArchiveTarget } from '../../features/backups/archive/archive-file.ts';
import { CommandError } from '../command.ts';

/** The name of a file that stands for standard output, or for standard input. */
export const STANDARD_STREAM = '-';

const ADVICE =
  'choose a folder that this user may write to, or write to standard output, as in overworld backup - > monday.ndjson.gz';

/**
 * Opens the file for an archive, or for `-` standard output.
 * @throws ArchiveError when a file of this name exists, or the file cannot be made.
 */
export const openTarget = (file: string): ArchiveTarget =>
  file === STANDARD_STREAM ? openStandardOutput() : createArchiveFile(resolve(file), ADVICE);

function openStandardOutput(): ArchiveTarget {
  if (process.stdout.isTTY) {
    throw new CommandError(
      'A compressed backup is nothing for a terminal: send standard output to a file, as in overworld backup - > monday.ndjson.gz.',
    );
  }
  return {
    name: 'standard output',
    stream: createWriteStream('', { fd: process.stdout.fd, autoClose: false }),
    is_gzip: true,
    send: null,
    readBack: null,
    publish: async () => undefined,
    discard: async () => undefined,
  };
}
