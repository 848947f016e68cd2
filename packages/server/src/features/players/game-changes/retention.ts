import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';

/** The maximum number of rows that one statement checks. */
const PART_ROWS = 5_000;

/**
 * Deletes the changes of players that are older than `retention_days`. (Raw events are deleted by whole
 * months, so some events stay up to a month longer.) A timer calls this function. It reads all changes,
 * because an index by age would slow down every call that changes a player.
 */
export async function deleteOldChanges(database: Database, retention_days: number): Promise<void> {
  let last: (PlayerKey & { place: number }) | null = null;
  for (let rows = PART_ROWS; rows === PART_ROWS;) {
    const after =
      last &&
      sql`
      WHERE (game_id, environment, player_id, place) > (${last.game_id}::uuid,
        ${last.environment}::environment, ${last.player_id}::text, ${last.place}::smallint)`;
    const part: (PlayerKey & { place: number; rows: number })[] = await database.query(sql`
      WITH part AS MATERIALIZED (
        SELECT ctid AS row, game_id, environment, player_id, place
        FROM player_changes
        ${after ?? sql``}
        ORDER BY game_id, environment, player_id, place
        LIMIT ${PART_ROWS}
      ), gone AS (
        DELETE FROM player_changes
        WHERE ctid = ANY(ARRAY(SELECT row FROM part))
          -- Not among the rows of "part": a new change may be written over an old one meanwhile.
          AND changed_at < now() - make_interval(days => ${retention_days})
      )
      SELECT game_id, environment, player_id, place, count(*) OVER () AS rows
      FROM part
      ORDER BY game_id DESC, environment DESC, player_id DESC, place DESC
      LIMIT 1`);
    last = part[0] ?? null;
    rows = part[0]?.rows ?? 0;
  }
}
