import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The shortest time between two writes of the progress. */
const NOTE_INTERVAL_MS = 500;

/** Lists the games that wait for another time zone. The game that has waited longest comes first. */
export async function listZoneChanges(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ game_id: string }>(sql`
    SELECT game_id FROM time_zone_changes ORDER BY requested_at`);
  return rows.map(({ game_id }) => game_id);
}

/** Tells whether a game waits for another time zone and its ingest is not paused yet. */
export const isWaiting = async (database: Queryable, game_id: string): Promise<boolean> =>
  (await database.queryOne(sql`
    SELECT FROM time_zone_changes
    WHERE game_id = ${game_id}
      AND NOT EXISTS (SELECT 1 FROM event_holds WHERE event_holds.game_id = ${game_id})`)) !== null;

/** Finds the zone that a game waits for, or null. The zone cannot be withdrawn until the transaction ends. */
export async function findZoneChange(tx: Queryable, game_id: string): Promise<string | null> {
  const row = await tx.queryOne<{ time_zone: string }>(sql`
    SELECT time_zone FROM time_zone_changes WHERE game_id = ${game_id} FOR KEY SHARE`);
  return row?.time_zone ?? null;
}

export const deleteZoneChange = (tx: Queryable, game_id: string): Promise<unknown> =>
  tx.execute(sql`DELETE FROM time_zone_changes WHERE game_id = ${game_id}`);

/**
 * Makes a recorder of the progress of a change, which the dashboard shows. The recorder
 * writes outside of the transaction that makes the change.
 */
export function createZoneProgress(database: Database, game_id: string) {
  let next_at = 0;
  let writing = false;
  return {
    note(share: number) {
      if (writing || performance.now() < next_at) return;
      next_at = performance.now() + NOTE_INTERVAL_MS;
      writing = true;
      database
        .execute(sql`UPDATE time_zone_changes SET progress = ${share} WHERE game_id = ${game_id}`)
        // The progress is only shown to people, so the change goes on without it.
        .catch(() => undefined)
        .finally(() => {
          writing = false;
        });
    },
  };
}
