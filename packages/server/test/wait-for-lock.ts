import type { Database } from '../src/platform/database/database.ts';
import { sumOfNodes } from './nodes.ts';
import { waitUntil } from './wait-until.ts';

/** The number of statements on this database that wait for a lock, on all nodes. */
export const countLockWaits = (database: Database): Promise<number> =>
  sumOfNodes(
    database,
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Waits until a statement on this database waits for a lock of another transaction. */
export const waitForLock = (database: Database): Promise<void> =>
  waitUntil('a statement waits for a lock', async () => (await countLockWaits(database)) > 0);
