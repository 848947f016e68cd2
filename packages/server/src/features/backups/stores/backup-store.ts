import type { Readable } from 'node:stream';
import type { BackupPlace } from '../../../platform/backup-settings.ts';
import type { ArchiveTarget } from '../archive/archive-file.ts';

/** A place with backups. All functions throw ArchiveError with a sentence for the operator. */
export interface BackupStore {
  /** The name of the place, such as `/var/backups` or `s3://bucket/folder`. */
  readonly name: string;
  /** Lists the names of all files, also of those that are no backups. */
  list(): Promise<string[]>;
  /** Begins a file, which appears only when it is published. */
  create(name: string): Promise<ArchiveTarget>;
  read(name: string): Promise<{ source: Readable; bytes: number | null }>;
  remove(name: string): Promise<void>;
  /** Removes the remains of files whose names begin with `prefix` and that were never published. */
  removeUnfinished(prefix: string): Promise<void>;
}

/** Names a place without its keys. */
export const namePlace = (place: BackupPlace): string =>
  'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, '');
