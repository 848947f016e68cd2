import { workerData } from 'node:worker_threads';
import { workInThread } from '../../platform/background/work-in-thread.ts';
import type { BackupSettings } from '../../platform/backup-settings.ts';
import type { ConnectionSettings } from '../../platform/database/open-database.ts';
import { openStore } from '../../platform/stores/open-store.ts';
import { makeBackup } from './make-backup.ts';

/**
 * The thread that makes one backup. To read, compress and check all data takes seconds or minutes of CPU
 * time.
 */

export interface BackupThreadOptions {
  connection: ConnectionSettings;
  backup: BackupSettings;
  data_dir: string;
}

/** One connection holds the lock, one reads, and one more reads the groups of a cluster. */
const MAX_CONNECTIONS = 4;

const { connection, backup, data_dir } = workerData as BackupThreadOptions;

await workInThread(
  { connection, application_name: 'overworld-backup', max_connections: MAX_CONNECTIONS },
  (database, signal) => {
    const store = openStore(backup.to, { spool_folder: data_dir });
    return makeBackup(database, store, { keep: backup.keep, signal });
  },
);
