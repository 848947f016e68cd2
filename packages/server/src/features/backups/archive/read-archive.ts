import { pipeline, Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import { StoreError } from '../../../platform/stores/store-error.ts';
import { ArchiveError } from './archive-error.ts';
import { readHeader, readLine } from './archive-lines.ts';
import type { ArchiveLine } from './format.ts';

/**
 * Opens an archive, which may be compressed by gzip, and reads its header.
 * @param name The name of the archive in messages.
 * @param bytes The size of the archive; null when it is not known.
 * @param options.may_be_edited True if the archive may have another number of rows than it says.
 * @throws ArchiveError when it is not an archive of Overworld or is corrupt.
 */
export async function openArchive(
  name: string,
  source: Readable,
  bytes: number | null,
  { may_be_edited = false } = {},
) {
  let read_bytes = 0;
  const lines = readLines(
    decompress(source, (chunk) => (read_bytes += chunk.length)),
    name,
  );
  const first = await lines.next();
  const header = first.done ? null : readHeader(first.value);
  if (header === null) throw new ArchiveError(`${name} is not an archive of Overworld.`);
  const rest = async function* (): AsyncGenerator<ArchiveLine> {
    let number = 1;
    let rows = 0;
    let is_complete = false;
    for await (const value of lines) {
      number++;
      const line: ArchiveLine | null = is_complete ? null : readLine(value);
      if (line === null) {
        throw new ArchiveError(
          `${name} is damaged: line ${number} is neither a table nor a row of one.`,
        );
      }
      is_complete = 'complete' in line;
      // A lost part of a gzip file leaves whole lines, and only their number tells of it.
      if ('complete' in line && line.rows !== rows && !may_be_edited) {
        throw new ArchiveError(
          `${name} is damaged: it has ${rows} rows, and had ${line.rows} when it was written.`,
        );
      }
      if (Array.isArray(line)) rows++;
      yield line;
    }
    if (!is_complete) throw new ArchiveError(`${name} is not complete: it ends in the middle.`);
  };
  return {
    name,
    header,
    /** Yields the lines after the header, and throws when the archive ends before it is complete. */
    lines: rest(),
    /** Returns the share of the archive that has been read, from 0 to 1; null when its size is not known. */
    progress: () => (bytes === null ? null : read_bytes / Math.max(1, bytes)),
  };
}

export type ArchiveReader = Awaited<ReturnType<typeof openArchive>>;

/** The most characters of a line. No row has so many, and a line without an end would fill the memory. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/** The first byte of every gzip file, with which no line of an archive begins. */
const GZIP_BYTE = 0x1f;

/** Yields the bytes of an archive; those of a gzip file without its compression. */
async function* decompress(
  source: Readable,
  onRead: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  const chunks = source.iterator() as AsyncIterableIterator<Buffer>;
  const first = await chunks.next();
  if (first.done) return;
  const all = async function* () {
    onRead(first.value);
    yield first.value;
    for await (const chunk of chunks) {
      onRead(chunk);
      yield chunk;
    }
  };
  const is_gzip = first.value[0] === GZIP_BYTE;
  // An error of the source also ends the reading of the uncompressed bytes.
  yield* is_gzip ? pipeline(Readable.from(all()), createGunzip(), () => undefined) : all();
}

async function* readLines(input: AsyncIterable<Buffer>, file: string): AsyncGenerator<unknown> {
  try {
    // `readline` is not used, because it would also end a line at a U+2028 character inside a string.
    const unfinished: string[] = [];
    let characters = 0;
    const decoder = new StringDecoder('utf8');
    for await (const chunk of input) {
      const [first = '', ...texts] = decoder.write(chunk).split('\n');
      unfinished.push(first);
      characters += first.length;
      if (characters > MAX_LINE_CHARACTERS) {
        throw new ArchiveError(`${file} is damaged: a line of it is too long for a row.`);
      }
      if (texts.length === 0) continue;
      const last = texts.pop()!;
      yield parseLine(unfinished.splice(0, unfinished.length, last).join(''), file);
      characters = last.length;
      for (const text of texts) yield parseLine(text, file);
    }
    if (characters > 0) yield parseLine(unfinished.join(''), file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new ArchiveError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function parseLine(text: string, file: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    throw new ArchiveError(`${file} is damaged: a line of it is not JSON.`);
  }
}
