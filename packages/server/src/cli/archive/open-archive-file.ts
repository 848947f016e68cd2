import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ArchiveError } from '../../features/backups/archive/archive-error.ts';
import { openArchive } from '../../features/backups/archive/read-archive.ts';
import type { ArchiveReader } from '../../features/backups/archive/read-archive.ts';
import { openS3Store } from '../../platform/stores/s3-store.ts';
import { readS3Place } from '../../platform/stores/store-place.ts';
import type { Config } from '../../platform/config.ts';
import { STANDARD_STREAM } from './archive-target.ts';

/** The bytes of an archive. */
export interface ArchiveSource {
  /** The name of the archive in messages. */
  name: string;
  source: Readable;
  /** Null if the size is not known. */
  bytes: number | null;
}

/**
 * Opens a file, an object such as `s3://bucket/folder/name`, or for `-` standard input.
 * @throws ArchiveError when there is no such file.
 */
export async function openSource(file: string, { s3 }: Config): Promise<ArchiveSource> {
  if (file === STANDARD_STREAM) {
    return { name: 'Standard input', source: process.stdin, bytes: null };
  }
  if (file.startsWith('s3://')) {
    const slash = file.lastIndexOf('/');
    const store = openS3Store(readS3Place(file.slice(0, slash), s3, 'The file'), {
      spool_folder: null,
    });
    return { name: file, ...(await store.read(file.slice(slash + 1))) };
  }
  const { size } = await stat(file).catch(() => {
    throw new ArchiveError(`There is no file ${file}.`);
  });
  return { name: file, source: createReadStream(file), bytes: size };
}

/**
 * Opens an archive, as `openSource` does.
 * @throws ArchiveError when there is no such file, or it is not an archive.
 */
export async function openArchiveFile(
  file: string,
  config: Config,
  options?: { may_be_edited: boolean },
): Promise<ArchiveReader> {
  const { name, source, bytes } = await openSource(file, config);
  return openArchive(name, source, bytes, options);
}
