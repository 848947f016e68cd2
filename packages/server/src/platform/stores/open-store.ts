import type { FileStore } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';
import type { StorePlace } from './store-place.ts';

interface StoreOptions {
  /** The setting that names the place, for sentences. */
  setting?: string;
  /**
   * The folder of this machine that keeps a file until a bucket has taken it; null if nobody waits for the
   * bucket.
   */
  spool_folder: string | null;
}

/** Opens a place with files. It is reached when it is used. */
export const openStore = (place: StorePlace, options: StoreOptions): FileStore =>
  'folder' in place ? openFolderStore(place.folder, options.setting) : openS3Store(place, options);
