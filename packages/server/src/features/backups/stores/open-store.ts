import type { BackupPlace } from '../../../platform/backup-settings.ts';
import type { BackupStore } from './backup-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';

/** Opens the place of backups. It is reached when it is used. */
export const openStore = (place: BackupPlace): BackupStore =>
  'folder' in place ? openFolderStore(place.folder) : openS3Store(place);
