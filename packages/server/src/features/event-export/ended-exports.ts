import type { Database } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { isOfTenant } from './file-plans.ts';

/** An export that no server has run for so long has ended. */
const ENDED_DAYS = 30;
/** Months of events are dropped as a whole, so some events are kept for a month longer. */
const DAYS_OF_MONTH = 32;

/** Forgets exports that have ended, and batches of events that were dropped before they were exported. */
export async function forgetEndedExports(
  database: GroupedDatabase,
  task: string,
  retention_days: number,
): Promise<void> {
  const last = await database.queryOne<{ at: string | null }>(sql`
    SELECT last_started_at::text AS at FROM background_tasks WHERE name = ${task}`);
  await forEachGroup(database.groups, async (group) => {
    const ended = await listEnded(group, last?.at ?? null);
    for (const tenant of ended) await forget(group, tenant);
    if (retention_days === 0) return;
    await group.execute(sql`
      DELETE FROM event_export_batches
      WHERE day < current_date - ${retention_days + DAYS_OF_MONTH}::integer`);
  });
}

const listEnded = (group: Database, last_run_at: string | null): Promise<Tenant[]> =>
  group.query<Tenant>(sql`
    SELECT game_id, environment FROM event_exports
    WHERE GREATEST(created_at, ${last_run_at}::timestamptz)
          < now() - ${ENDED_DAYS}::integer * interval '1 day'`);

async function forget(group: Database, tenant: Tenant): Promise<void> {
  await group.execute(sql`DELETE FROM event_exports WHERE ${isOfTenant(tenant)}`);
  await group.execute(sql`DELETE FROM event_export_batches WHERE ${isOfTenant(tenant)}`);
}
