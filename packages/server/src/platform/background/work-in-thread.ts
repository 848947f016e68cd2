import { parentPort } from 'node:worker_threads';
import { openDatabase } from '../database/open-database.ts';
import type { ConnectionSettings } from '../database/open-database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { readGroups } from '../database/pools.ts';
import { lowerPriority } from '../low-priority.ts';
import { packFailure } from '../workers/failures.ts';
import type { Failure } from '../workers/failures.ts';

/** The last message of a thread of `createTaskThread`. */
export type ThreadOutcome<Result> =
  | { type: 'done'; result: Result }
  | { type: 'failed'; failure: Failure };

interface ThreadDatabase {
  connection: ConnectionSettings;
  application_name: string;
  max_connections: number;
}

/** Runs the work of a thread once, with low priority and a database of its own, and tells the outcome. */
export async function workInThread<Result>(
  { connection, ...settings }: ThreadDatabase,
  work: (database: GroupedDatabase, signal: AbortSignal) => Promise<Result>,
): Promise<void> {
  const stopping = new AbortController();
  parentPort!.on('message', () => stopping.abort());
  const run = async (): Promise<ThreadOutcome<Result>> => {
    lowerPriority(0);
    const database = openDatabase(connection, {
      ...settings,
      statement_timeout_ms: 0,
      // Workers of parallel queries would not have the low priority of their connection.
      settings: { max_parallel_workers_per_gather: '0' },
      low_priority: true,
      groups: await readGroups(connection),
    });
    try {
      return { type: 'done', result: await work(database, stopping.signal) };
    } finally {
      await database.close();
    }
  };
  const outcome = await run().catch((error: unknown): ThreadOutcome<Result> => ({
    type: 'failed',
    failure: packFailure(error),
  }));
  // The rule is about windows; a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort!.postMessage(outcome);
}
