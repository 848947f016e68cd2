import { STAT_HOUR_DAYS } from '@overworld/contract/stats/stat-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { hoursOf, joinedRows, listSourced } from './hours-of-events.ts';
import type { SourcedStat } from './hours-of-events.ts';

/**
 * Counts the statistics of a game that events move anew from its stored events, in the transaction of a rebuild,
 * during which no events of the game are ingested. If old events were dropped, the values of before stay, except
 * of statistics whose source is new.
 * @param which `new`: only those whose source is new.
 * @returns the keys of the statistics whose source is new.
 */
export async function recountStats(
  tx: Queryable,
  game_id: string,
  which: 'all' | 'new',
): Promise<string[]> {
  const sourced = await listSourced(tx, sql`SELECT ${game_id}::uuid`);
  const stats = which === 'all' ? sourced : sourced.filter(({ is_counted }) => !is_counted);
  if (stats.length === 0) return [];
  await tx.execute(sql`SELECT set_config('statement_timeout', '0', true)`);
  // No partition may be dropped after the next statement has read which of them were.
  await tx.execute(sql`LOCK TABLE events IN ACCESS SHARE MODE`);
  // The time of an event is at most an hour after its receipt. Hours of before the last days may be in bases.
  const since = await tx.queryOne<{ kept: string; unfolded: string }>(sql`
    SELECT coalesce(kept, '-infinity')::text AS kept,
           CASE WHEN kept IS NULL THEN '-infinity' ELSE GREATEST(kept, unfolded) END::text AS unfolded
    FROM (
      SELECT date_trunc('hour', events_kept_since + interval '2 hours', 'UTC') AS kept,
             date_trunc('hour', now() - make_interval(days => ${STAT_HOUR_DAYS - 1}), 'UTC') AS unfolded
      FROM games WHERE id = ${game_id}
    ) AS game`);
  if (since === null) return [];
  for (const stat of stats) {
    await recount(tx, stat, stat.is_counted ? since.unfolded : since.kept);
  }
  await tx.execute(sql`
    UPDATE stats SET is_counted = true WHERE game_id = ${game_id} AND source IS NOT NULL AND NOT archived`);
  return stats.filter(({ is_counted }) => !is_counted).map(({ key }) => key);
}

async function recount(tx: Queryable, stat: SourcedStat, since: string): Promise<void> {
  const { game_id, key, is_counted, source } = stat;
  const of_stat = sql`game_id = ${game_id} AND key = ${key}`;
  await tx.execute(sql`
    SELECT FROM player_stats WHERE ${of_stat}
    ORDER BY game_id, environment, player_id
    FOR NO KEY UPDATE`);
  if (!is_counted || since === '-infinity') {
    await tx.execute(sql`UPDATE player_stats SET base = NULL, base_at = NULL WHERE ${of_stat}`);
    await tx.execute(sql`DELETE FROM player_stat_hours WHERE ${of_stat}`);
  } else {
    await tx.execute(sql`
      DELETE FROM player_stat_hours WHERE ${of_stat} AND hour >= ${since}::timestamptz`);
  }
  const events = sql`(
    SELECT event.game_id, event.environment, coalesce(merge.player_id, event.player_id) AS player_id,
           event_name, occurred_at, event.id, event.properties
    FROM events AS event
    -- Events that are still to move to the player of a merge.
    LEFT JOIN player_merges AS merge
      ON merge.game_id = event.game_id AND merge.environment = event.environment
        AND from_player_id = event.player_id AND completed_at IS NULL
    WHERE event.game_id = ${game_id} AND event_name = ${source.event_name}
      AND occurred_at >= ${since}::timestamptz AND event.player_id IS NOT NULL
  ) AS event`;
  await tx.execute(sql`
    WITH hours AS MATERIALIZED (${hoursOf([stat], events)})
    INSERT INTO player_stat_hours
      (game_id, environment, player_id, key, aggregation, hour, value, changed_at)
    SELECT game_id, environment, player_id, key, aggregation, hour, value, changed_at FROM hours`);
  const parts = sql`(
    SELECT environment, player_id, key, aggregation, value, changed_at
    FROM player_stat_hours WHERE ${of_stat}
    UNION ALL
    SELECT environment, player_id, key, aggregation, base, base_at
    FROM player_stats WHERE ${of_stat} AND base IS NOT NULL
  ) AS part`;
  await tx.execute(sql`
    DELETE FROM player_stats
    WHERE ${of_stat}
      AND (environment, player_id) NOT IN (SELECT environment, player_id FROM ${parts})`);
  await tx.execute(sql`
    INSERT INTO player_stats (game_id, environment, player_id, key, aggregation, value, changed_at)
    SELECT ${game_id}::uuid, environment, player_id, key, aggregation, ${joinedRows}, max(changed_at)
    FROM ${parts}
    GROUP BY environment, player_id, key, aggregation
    ORDER BY environment, player_id
    ON CONFLICT (game_id, environment, player_id, key) DO UPDATE
    SET value = EXCLUDED.value, changed_at = EXCLUDED.changed_at`);
}
