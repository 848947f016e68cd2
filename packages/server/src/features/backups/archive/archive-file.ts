import { createFile } from '../../../platform/stores/file-target.ts';
import type { FileTarget } from '../../../platform/stores/file-target.ts';

/** The place of an archive that is being written. */
export interface ArchiveTarget extends FileTarget {
  readonly is_gzip: boolean;
}

/**
 * Makes the file for an archive. Only its owner may read it.
 * @param path The absolute path that the file gets when it is published.
 * @param advice The end of the sentence that tells why the file cannot be made.
 * @throws StoreError when a file of this name exists, or the file cannot be made.
 */
export const createArchiveFile = (path: string, advice: string): ArchiveTarget => ({
  ...createFile(path, advice),
  is_gzip: path.endsWith('.gz'),
});
