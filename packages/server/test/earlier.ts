import { sql } from '../src/platform/database/sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';

/**
 * SQL for a stored moment minus an interval, for the SET clause of an UPDATE. `timestamptz - interval`
 * depends on the time zone of the session, so a cluster does not compute it from stored values.
 */
export const earlier = (moment: Sql, interval: Sql): Sql =>
  sql`(${moment} AT TIME ZONE 'UTC' - ${interval}) AT TIME ZONE 'UTC'`;
