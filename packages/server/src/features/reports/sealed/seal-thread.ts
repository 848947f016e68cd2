import { workerData } from 'node:worker_threads';
import { workInThread } from '../../../platform/background/work-in-thread.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import { joinIngest } from '../../../platform/ingest-lock.ts';
import { runSeals } from './seal-run.ts';

/** The thread of one run of sealing: a million events take some seconds of CPU time. */

export interface SealThreadOptions {
  connection: ConnectionSettings;
  retention_days: number;
  run_ms: number;
}

const { connection, ...options } = workerData as SealThreadOptions;

await workInThread(
  { connection, application_name: 'overworld-seal', max_connections: 2 },
  (database, signal) => runSeals(database, { ...options, joinIngest, signal }),
);
