import type { Queryable } from '../../../platform/database/database.ts';
import { forEachGroup } from '../../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { InboxLag } from '../../../platform/metrics/server-metrics.ts';

/** Measures the lag of all groups together: the age of the oldest request, and the number of all requests. */
export async function measureInboxLag(database: GroupedDatabase): Promise<InboxLag> {
  const all: InboxLag = { rows: 0, age_seconds: 0, quarantined_rows: 0 };
  await forEachGroup(database.groups, async (group) => {
    const lag = await measureGroup(group);
    all.rows += lag.rows;
    all.age_seconds = Math.max(all.age_seconds, lag.age_seconds);
    all.quarantined_rows += lag.quarantined_rows;
  });
  return all;
}

/**
 * Lists the lag of each group by the index of the group. Groups that
 * cannot be read, such as those whose database node is down, are left out.
 * @throws if no group can be read.
 */
export async function listInboxLags(database: GroupedDatabase): Promise<Map<number, InboxLag>> {
  const lags = new Map<number, InboxLag>();
  const reading = forEachGroup(database.groups, async (group) => {
    lags.set(database.groups.indexOf(group), await measureGroup(group));
  });
  await reading.catch((error: unknown) => {
    if (lags.size === 0) throw error;
  });
  return lags;
}

async function measureGroup(group: Queryable): Promise<InboxLag> {
  const lag = await group.queryOne<InboxLag>(sql`
    SELECT (SELECT count(*) FROM event_inbox) AS rows,
           COALESCE((SELECT extract(epoch FROM clock_timestamp() - received_at)::float8
                     FROM event_inbox ORDER BY id LIMIT 1), 0) AS age_seconds,
           (SELECT count(*) FROM event_quarantine) AS quarantined_rows`);
  return lag!;
}
