import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The lag of timelines and analytics behind the acknowledged events. */
export interface InboxLag {
  /** Requests that wait in the inbox. */
  rows: number;
  /** Age of the oldest waiting request; 0 when none waits. */
  age_seconds: number;
  /** Requests in quarantine, because PostgreSQL could not read them. */
  quarantined_rows: number;
}

export async function measureInboxLag(database: Queryable): Promise<InboxLag> {
  const lag = await database.queryOne<InboxLag>(sql`
    SELECT (SELECT count(*) FROM event_inbox) AS rows,
           COALESCE((SELECT extract(epoch FROM clock_timestamp() - received_at)::float8
                     FROM event_inbox ORDER BY id LIMIT 1), 0) AS age_seconds,
           (SELECT count(*) FROM event_quarantine) AS quarantined_rows`);
  return lag!;
}
