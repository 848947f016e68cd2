import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { MovedStat, StatWatcher } from '../../../platform/players/stat-watcher.ts';
import { joinedValue, joinHours } from '../changes/change-store.ts';
import { hoursOf, joinedRows, listSourced } from './hours-of-events.ts';

const NAMING = sql`(SELECT * FROM ingested_events WHERE player_id IS NOT NULL) AS event`;

/**
 * Makes the step of ingest that moves statistics by the events that it stores. It runs in the transaction that
 * takes the events out of the inbox, so each of them counts once.
 * @param watcher Judges the changes; null if nothing does.
 */
export const createStatStep =
  (watcher: StatWatcher | null) =>
  async (tx: Queryable): Promise<void> => {
    const stats = await listSourced(tx, sql`SELECT game_id FROM ingested_events`);
    if (stats.length === 0) return;
    const moved = await tx.query<MovedStat>(sql`
      WITH hours AS MATERIALIZED (${hoursOf(stats, NAMING)}),
      valued AS (
        INSERT INTO player_stats AS known
          (game_id, environment, player_id, key, aggregation, value, changed_at)
        SELECT game_id, environment, player_id, key, aggregation, ${joinedRows}, max(changed_at)
        FROM hours
        GROUP BY game_id, environment, player_id, key, aggregation
        ORDER BY game_id, environment, player_id, key
        ON CONFLICT (game_id, environment, player_id, key) DO UPDATE
        SET value = ${joinedValue(sql`known.aggregation`, sql`known`, sql`EXCLUDED`)},
            changed_at = GREATEST(known.changed_at, EXCLUDED.changed_at)
        RETURNING game_id, environment, player_id, key, value::float8 AS value
      ), counted AS (
        INSERT INTO player_stat_hours AS known
          (game_id, environment, player_id, key, hour, aggregation, value, changed_at)
        SELECT game_id, environment, player_id, key, hour, aggregation, hours.value, changed_at
        FROM hours
        -- Whoever writes an hour has locked the value before.
        JOIN valued USING (game_id, environment, player_id, key)
        ORDER BY game_id, environment, player_id, key, hour
        ${joinHours}
      )
      SELECT * FROM valued`);
    if (watcher === null) return;
    const watched: MovedStat[] = [];
    for (const each of moved) {
      if (await watcher.watches(each.game_id, each.key)) watched.push(each);
    }
    if (watched.length > 0) await watcher.judge(tx, watched);
  };
