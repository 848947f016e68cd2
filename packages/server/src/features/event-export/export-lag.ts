import type { Database } from '../../platform/database/database.ts';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';

/**
 * Reads for how many seconds the oldest event has waited to be exported. The events of an environment wait for
 * its history, which may take many hours: meanwhile only the time since its last file counts.
 */
export async function readExportLag(database: GroupedDatabase): Promise<number> {
  let lag = 0;
  await forEachGroup(database.groups, async (group) => {
    lag = Math.max(lag, await readOldest(group), await readHistories(group));
  });
  return lag;
}

const secondsSince = (time: Sql) => sql`extract(epoch FROM clock_timestamp() - ${time})::float8`;

async function readOldest(group: Database): Promise<number> {
  const row = await group.queryOne<{ lag: number }>(sql`
    SELECT ${secondsSince(sql`stored_at`)} AS lag
    FROM event_export_batches AS batch
    WHERE NOT EXISTS (
      SELECT FROM event_exports AS export
      WHERE export.game_id = batch.game_id AND export.environment = batch.environment
        AND NOT is_history_done
    )
    ORDER BY batch.stored_at
    LIMIT 1`);
  return row?.lag ?? 0;
}

async function readHistories(group: Database): Promise<number> {
  const row = await group.queryOne<{ lag: number | null }>(sql`
    SELECT ${secondsSince(sql`min(COALESCE(last_file_at, created_at))`)} AS lag
    FROM event_exports AS export
    WHERE NOT is_history_done AND EXISTS (
      SELECT FROM event_export_batches AS batch
      WHERE batch.game_id = export.game_id AND batch.environment = export.environment
    )`);
  return row!.lag ?? 0;
}
