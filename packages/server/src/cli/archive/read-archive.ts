import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import { CommandError } from '../command.ts';
import type { ArchiveLine } from './format.ts';

/**
 * Opens an archive and reads its header.
 * @throws CommandError when the file is not an archive of Overworld or is corrupt.
 */
export async function openArchive(file: string, file_bytes: number) {
  const source = createReadStream(file);
  const input = file.endsWith('.gz') ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => input.destroy(error));
  const lines = readLines(input, file);
  const first = await lines.next();
  if (first.done || !('overworld' in first.value)) {
    throw new CommandError(`${file} is not an archive of Overworld.`);
  }
  const rest = async function* () {
    for await (const line of lines) {
      yield line;
      if ('complete' in line) return;
    }
    throw new CommandError(`${file} is not complete: it ends in the middle.`);
  };
  return {
    header: first.value,
    /** Yields the lines after the header, and throws when the archive ends before it is complete. */
    lines: rest(),
    /** Returns the share of the file that has been read, from 0 to 1. */
    progress: () => source.bytesRead / Math.max(1, file_bytes),
  };
}

export type ArchiveReader = Awaited<ReturnType<typeof openArchive>>;

async function* readLines(input: Readable, file: string): AsyncGenerator<ArchiveLine> {
  try {
    // `readline` is not used, because it would also end a line at a U+2028 character inside a string.
    let unfinished = '';
    for await (const chunk of input.setEncoding('utf8')) {
      const texts = `${unfinished}${chunk}`.split('\n');
      unfinished = texts.pop()!;
      for (const text of texts) yield parseLine(text, file);
    }
    if (unfinished !== '') yield parseLine(unfinished, file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function parseLine(text: string, file: string): ArchiveLine {
  try {
    return parseJsonText(text) as ArchiveLine;
  } catch {
    throw new CommandError(`${file} is damaged: a line of it is not JSON.`);
  }
}
