import type { BackupPlace } from '../../../platform/backup-settings.ts';
import type { BackupStore } from './backup-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';

/**
 * Opens the place of backups. It is reached when it is used.
 * @param spool_folder The folder of this machine that keeps a backup until a bucket has taken it.
 */
export const openStore = (place: BackupPlace, spool_folder: string): BackupStore =>
  'folder' in place ? openFolderStore(place.folder) : openS3Store(place, { spool_folder });
