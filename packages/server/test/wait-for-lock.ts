import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until a statement on this database waits for a lock of another transaction. */
export const waitForLock = (database: Database): Promise<void> =>
  waitUntil('a statement waits for a lock', async () => {
    const waiting = await database.queryOne(sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
      LIMIT 1`);
    return waiting !== null;
  });
