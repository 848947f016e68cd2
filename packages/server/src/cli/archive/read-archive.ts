import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { CommandError } from '../command.ts';
import type { ArchiveHeader, ArchiveLine } from './format.ts';

export interface ArchiveReader {
  header: ArchiveHeader;
  /** The lines after the header; throws when the archive ends before it is complete. */
  lines: AsyncIterable<ArchiveLine>;
  /** Share of the file that has been read, 0 to 1. */
  progress: () => number;
}

/**
 * Opens an archive and reads its header.
 * @throws CommandError when the file is not an archive of Overworld or is damaged.
 */
export async function openArchive(file: string, file_bytes: number): Promise<ArchiveReader> {
  const source = createReadStream(file);
  const input = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => input.destroy(error));
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  // readline does not pass on errors of its input.
  const failure = new Promise<never>((_resolve, reject) => {
    input.on('error', (error: Error) =>
      reject(new CommandError(`${file} cannot be read: ${error.message}.`)),
    );
  });
  failure.catch(() => undefined);
  const next = async (): Promise<ArchiveLine | null> => {
    const { value, done } = await Promise.race([lines.next(), failure]);
    if (done) return null;
    try {
      return parseJsonText(value) as ArchiveLine;
    } catch {
      throw new CommandError(`${file} is damaged: a line of it is not JSON.`);
    }
  };

  const header = await next();
  if (header === null || !('overworld' in header)) {
    throw new CommandError(`${file} is not an archive of Overworld.`);
  }
  const rest = async function* () {
    for (;;) {
      const line = await next();
      if (line === null) {
        throw new CommandError(`${file} is not complete: it ends in the middle.`);
      }
      yield line;
      if ('complete' in line) return;
    }
  };
  return { header, lines: rest(), progress: () => source.bytesRead / Math.max(1, file_bytes) };
}
