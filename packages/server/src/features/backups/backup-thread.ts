import { parentPort, workerData } from 'node:worker_threads';
import type { BackupSettings } from '../../platform/backup-settings.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import type { ConnectionSettings } from '../../platform/database/open-database.ts';
import { readGroups } from '../../platform/database/pools.ts';
import { lowerPriority } from '../../platform/low-priority.ts';
import { packFailure } from '../../platform/workers/failures.ts';
import type { Failure } from '../../platform/workers/failures.ts';
import { makeBackup } from './make-backup.ts';
import type { MadeBackup } from './make-backup.ts';
import { openStore } from './stores/open-store.ts';

/**
 * The thread that makes one backup. To read, compress and check all data takes seconds or minutes of CPU
 * time, which the threads that answer games must not spend.
 */

export interface BackupThreadOptions {
  connection: ConnectionSettings;
  backup: BackupSettings;
  data_dir: string;
}

/** The last message of the thread. */
export type BackupOutcome =
  | { type: 'made'; made: MadeBackup }
  | { type: 'failed'; failure: Failure };

/** One connection holds the lock, one reads, and one more reads the groups of a cluster. */
const MAX_CONNECTIONS = 4;

const { connection, backup, data_dir } = workerData as BackupThreadOptions;
const stopping = new AbortController();

async function run(): Promise<BackupOutcome> {
  lowerPriority(0);
  const database = openDatabase(connection, {
    application_name: 'overworld-backup',
    max_connections: MAX_CONNECTIONS,
    statement_timeout_ms: 0,
    // Workers of parallel queries would not have the low priority of their connection.
    settings: { max_parallel_workers_per_gather: '0' },
    low_priority: true,
    groups: await readGroups(connection),
  });
  try {
    const { keep } = backup;
    const { signal } = stopping;
    return {
      type: 'made',
      made: await makeBackup(database, openStore(backup.to, data_dir), { keep, signal }),
    };
  } finally {
    await database.close();
  }
}

parentPort!.on('message', () => stopping.abort());
const outcome = await run().catch((error: unknown): BackupOutcome => ({
  type: 'failed',
  failure: packFailure(error),
}));
// The rule is about windows; a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(outcome);
