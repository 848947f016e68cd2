import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ArchiveHeader } from './format.ts';
import { openArchive } from './read-archive.ts';

export interface CheckedArchive {
  header: ArchiveHeader;
  rows: number;
  bytes: number;
  sha256: string;
}

interface CheckOptions {
  /** The size of the archive; null when it is not known. */
  bytes?: number | null;
  /** Called with the share that is read, null when the size is not known, and with the rows so far. */
  onProgress?: (share: number | null, rows: number) => void;
}

const ROWS_PER_REPORT = 1_000;

/**
 * Reads an archive whole, without a database.
 * @param name The name of the archive in messages.
 * @throws ArchiveError when it is not an archive, not complete, or damaged.
 */
export async function checkArchive(
  name: string,
  source: AsyncIterable<Buffer>,
  { bytes = null, onProgress }: CheckOptions = {},
): Promise<CheckedArchive> {
  const hash = createHash('sha256');
  let read_bytes = 0;
  const chunks = async function* () {
    for await (const chunk of source) {
      hash.update(chunk);
      read_bytes += chunk.length;
      yield chunk;
    }
  };
  const { header, lines, progress } = await openArchive(name, Readable.from(chunks()), bytes);
  let rows = 0;
  for await (const line of lines) {
    if (!Array.isArray(line)) continue;
    rows++;
    if (rows % ROWS_PER_REPORT === 0) onProgress?.(progress(), rows);
  }
  return { header, rows, bytes: read_bytes, sha256: hash.digest('hex') };
}
