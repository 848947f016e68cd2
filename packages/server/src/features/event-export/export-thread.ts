import { workerData } from 'node:worker_threads';
import { workInThread } from '../../platform/background/work-in-thread.ts';
import type { ConnectionSettings } from '../../platform/database/open-database.ts';
import { openStore } from '../../platform/stores/open-store.ts';
import type { StorePlace } from '../../platform/stores/store-place.ts';
import { runExport } from './export-run.ts';

/** The thread of one run of the export of events. A million events take some 8 seconds of CPU time. */

export interface ExportThreadOptions {
  connection: ConnectionSettings;
  to: StorePlace;
  /** A run begins no further round of files after this time. */
  run_ms: number;
}

/** One connection holds the lock, one reads, and one more reads the groups of a cluster. */
const MAX_CONNECTIONS = 4;

const { connection, to, run_ms } = workerData as ExportThreadOptions;

await workInThread(
  { connection, application_name: 'overworld-export', max_connections: MAX_CONNECTIONS },
  (database, signal) => {
    // No transaction waits for the bucket, so nothing is kept on this machine.
    const store = openStore(to, { setting: 'EVENTS_EXPORT_TO', spool_folder: null });
    return runExport(database, store, { signal, run_ms });
  },
);
