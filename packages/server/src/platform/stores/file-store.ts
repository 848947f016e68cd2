import type { Readable } from 'node:stream';
import type { FileTarget } from './file-target.ts';
import type { StorePlace } from './store-place.ts';

/** A place with files, such as backups. All functions throw StoreError with a sentence for the operator. */
export interface FileStore {
  /** The name of the place, such as `/var/backups` or `s3://bucket/folder`. */
  readonly name: string;
  /** Lists the names of all files, but not of those in folders. */
  list(): Promise<string[]>;
  /** Begins a file, which appears only when it is published. */
  create(name: string): Promise<FileTarget>;
  /**
   * Begins a file that takes the place of one with the same name when it is published, and removes what
   * earlier tries to write it have left.
   * @param name May have folders, which are made.
   */
  replace(name: string): Promise<FileTarget>;
  read(name: string): Promise<{ source: Readable; bytes: number | null }>;
  remove(name: string): Promise<void>;
  /**
   * Removes the remains of files whose names begin with `prefix` and that were never published.
   * @param min_age_ms Younger remains stay: another installation may be writing them. Default: 0.
   */
  removeUnfinished(prefix: string, min_age_ms?: number): Promise<void>;
}

/** Names a place without its keys. */
export const namePlace = (place: StorePlace): string =>
  'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`.replace(/\/$/, '');
