import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfDay } from './sealed-store.ts';
import type { TenantDay } from './sealed-store.ts';

/** A sealed day with bytes that are not what was written, or that are of another form. */
export interface UnreadableDay extends TenantDay {
  version: string;
  /** The events with these bytes; null for the sessions of the day. */
  event_name: string | null;
}

/**
 * Marks a day to be sealed again. Until then it is read from rows.
 * @returns false if another version of the day is there, or none, or it is marked already.
 */
export async function sealAgain(tx: Queryable, unreadable: UnreadableDay): Promise<boolean> {
  const marked = await tx.queryOne(sql`
    UPDATE sealed_days SET sealed_at = NULL, event_count = NULL
    WHERE ${isOfDay(unreadable)} AND version = ${unreadable.version}::uuid
      AND event_count IS NOT NULL
    RETURNING day`);
  return marked !== null;
}
