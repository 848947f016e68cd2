import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import { sumOfNodes } from './nodes.ts';
import { IS_SPREAD } from './test-database.ts';
import { waitUntil } from './wait-until.ts';

/** A session that waits for a lock that another session holds or asked for earlier. */
interface LockWait {
  pid: number;
  blocker_pid: number;
  application_name: string;
  statement: string;
}

/**
 * Lists the sessions of this database that wait for other sessions. On a cluster it lists sessions of the
 * coordinator, even if they wait on another node.
 */
export const listLockWaits = (database: Database): Promise<LockWait[]> =>
  database.query(
    IS_SPREAD
      ? // In Citus, the global number of a session is: its process id + the id of its node × 10,000,000,000.
        sql`
        SELECT pid, (blocking_gpid % 10000000000)::integer AS blocker_pid, application_name,
               query AS statement
        FROM citus_lock_waits
        JOIN pg_stat_activity ON pid = waiting_gpid % 10000000000
        WHERE datname = current_database()`
      : sql`
        SELECT pid, blocker_pid, application_name, query AS statement
        FROM pg_stat_activity
        CROSS JOIN unnest(pg_blocking_pids(pid)) AS blocker_pid
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Counts the statements on this database that wait for a lock, on all nodes. */
export const countLockWaits = (database: Database): Promise<number> =>
  sumOfNodes(
    database,
    `SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Waits until exactly `count` statements on this database wait for locks. */
export const waitForLocks = (database: Database, count: number): Promise<void> =>
  waitUntil(`${count} statements wait`, async () => (await countLockWaits(database)) === count);

/** Waits until a statement on this database waits for a lock of another transaction. */
export const waitForLock = (database: Database): Promise<void> =>
  waitUntil('a statement waits for a lock', async () => (await countLockWaits(database)) > 0);
