import { MAX_STAT_VALUE, STAT_DECIMALS } from '@overworld/contract/stats/stat-limits';
import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { joinSql, literal, sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { toSql } from '../../../platform/property-conditions.ts';
import type { StatSource } from '../catalogue.ts';

/** A statistic that events move. */
export interface SourcedStat {
  game_id: string;
  key: string;
  aggregation: Aggregation;
  source: StatSource;
  /** False until the values are counted from the events that are stored. */
  is_counted: boolean;
}

/** Lists the statistics of some games that events move. */
export const listSourced = (database: Queryable, games: Sql): Promise<SourcedStat[]> =>
  database.query(sql`
    SELECT game_id, key, aggregation, source, is_counted FROM stats
    WHERE source IS NOT NULL AND NOT archived AND game_id IN (${games})
    ORDER BY game_id, key`);

const JOINED: Readonly<Record<Aggregation, Sql>> = {
  sum: sql`sum(value)`,
  max: sql`max(value)`,
  min: sql`min(value)`,
  latest: sql`(array_agg(value ORDER BY occurred_at DESC, id DESC))[1]`,
};

/** SQL that joins the values of rows of several hours. */
export const joinedRows: Sql = sql`
  CASE aggregation
    WHEN 'sum' THEN sum(value)
    WHEN 'max' THEN max(value)
    WHEN 'min' THEN min(value)
    ELSE (array_agg(value ORDER BY changed_at DESC))[1]
  END`;

/**
 * SQL for what events change in each hour: rows as those of `player_stat_hours`.
 * @param events A table with the columns of `events`, whose events all name a player.
 */
export function hoursOf(stats: readonly SourcedStat[], events: Sql): Sql {
  const parts = stats.map((stat) => hoursOfOne(stat, events));
  return parts.reduce((joined, part) => sql`${joined} UNION ALL ${part}`);
}

function hoursOfOne({ game_id, key, aggregation, source }: SourcedStat, events: Sql): Sql {
  const { event_name, conditions, property } = source;
  const text = JSON.stringify(conditions);
  const holds = [
    sql`game_id = ${game_id}`,
    sql`event_name = ${event_name}`,
    ...toSql({ filter: conditions, text, path: [] }),
  ];
  const most = literal(MAX_STAT_VALUE);
  return sql`
    SELECT game_id, environment, player_id, ${key}::text AS key, ${aggregation}::text AS aggregation,
           hour, ${JOINED[aggregation]} AS value, max(occurred_at) AS changed_at
    FROM (
      SELECT game_id, environment, player_id, date_trunc('hour', occurred_at, 'UTC') AS hour,
             occurred_at, id, ${valueOf(property)} AS value
      FROM ${events}
      WHERE ${joinSql(holds, ' AND ')}
    ) AS happened
    WHERE value BETWEEN -${most} AND ${most}
    GROUP BY game_id, environment, player_id, hour`;
}

/** SQL of what an event changes; null if its property is no number. */
const valueOf = (property: string | null): Sql =>
  property === null
    ? sql`1::numeric`
    : sql`CASE jsonb_typeof(properties -> ${property}::text)
        WHEN 'number' THEN round((properties ->> ${property}::text)::numeric, ${literal(STAT_DECIMALS)})
      END`;
