import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { restAfter } from '../../platform/rest.ts';

/** The most hours from which one statement chooses what it folds. It locks their statistics for 20 ms. */
const PART_ROWS = 1_000;

/**
 * Joins the hours that are no longer kept to the bases of their statistics. The values stay the same. A timer
 * calls this function.
 */
export async function foldOldHours(database: Database): Promise<void> {
  for (;;) {
    const started = performance.now();
    const folded = await foldPart(database);
    if (folded === 0) return;
    await restAfter(performance.now() - started);
  }
}

/** @returns the number of hours that were folded. */
async function foldPart(database: Database): Promise<number> {
  const is_old = sql`hour < now() - make_interval(days => ${STAT_HOUR_DAYS})`;
  const row = await database.queryOne<{ folded: number }>(sql`
    WITH old AS MATERIALIZED (
      SELECT DISTINCT game_id, environment, player_id, key
      FROM (
        SELECT game_id, environment, player_id, key FROM player_stat_hours
        WHERE ${is_old}
        ORDER BY hour
        LIMIT ${PART_ROWS}
      ) AS part
    ), locked AS MATERIALIZED (
      SELECT named.*
      FROM (SELECT * FROM old ORDER BY game_id, environment, player_id, key) AS named
      -- A change of a statistic locks its value before its hours, too.
      LEFT JOIN LATERAL (
        SELECT FROM player_stats AS known
        WHERE known.game_id = named.game_id AND known.environment = named.environment
          AND known.player_id = named.player_id AND known.key = named.key
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS known ON true
    ), folded AS (
      DELETE FROM player_stat_hours AS hours
      USING locked
      WHERE hours.game_id = locked.game_id AND hours.environment = locked.environment
        AND hours.player_id = locked.player_id AND hours.key = locked.key AND ${is_old}
      RETURNING hours.game_id, hours.environment, hours.player_id, hours.key, hours.aggregation,
                hours.value, hours.changed_at
    ), joined AS (
      SELECT game_id, environment, player_id, key,
             CASE aggregation
               WHEN 'sum' THEN sum(value)
               WHEN 'max' THEN max(value)
               WHEN 'min' THEN min(value)
               ELSE (array_agg(value ORDER BY changed_at DESC))[1]
             END AS value,
             max(changed_at) AS changed_at, count(*) AS hours
      FROM folded
      GROUP BY game_id, environment, player_id, key, aggregation
    ), added AS (
      UPDATE player_stats AS known
      SET base = CASE
            WHEN known.base IS NULL THEN joined.value
            WHEN aggregation = 'sum' THEN known.base + joined.value
            WHEN aggregation = 'max' THEN GREATEST(known.base, joined.value)
            WHEN aggregation = 'min' THEN LEAST(known.base, joined.value)
            WHEN joined.changed_at >= known.base_at THEN joined.value
            ELSE known.base
          END,
          base_at = GREATEST(known.base_at, joined.changed_at)
      FROM joined
      WHERE known.game_id = joined.game_id AND known.environment = joined.environment
        AND known.player_id = joined.player_id AND known.key = joined.key
    )
    SELECT coalesce(sum(hours), 0)::bigint AS folded FROM joined`);
  return row!.folded;
}
