import type { Environment } from '@overworld/contract/common';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer, keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { DefinedStat, PlayerStat } from './catalogue.ts';

/** Lists the values of a player, those of archived statistics too. */
export async function listValues(database: Queryable, player: PlayerKey): Promise<PlayerStat[]> {
  return database.query(sql`
    SELECT key, value::float8 AS value, changed_at FROM player_stats
    WHERE ${isOfPlayer(player)}`);
}

/** Lists the values of several players by the keys of the statistics, in the order of the players. */
export async function listValuesOf(
  database: Queryable,
  players: readonly PlayerKey[],
): Promise<ReadonlyMap<string, number>[]> {
  const rows = await database.query<{ number: number; key: string; value: number }>(sql`
    SELECT number, key, value
    FROM unnest(${keyArrays(players)}) WITH ORDINALITY
      AS asked (game_id, environment, player_id, number)
    CROSS JOIN LATERAL (
      SELECT key, value::float8 AS value FROM player_stats AS had
      WHERE had.game_id = asked.game_id AND had.environment = asked.environment
        AND had.player_id = asked.player_id
      OFFSET 0
    ) AS had`);
  const values = players.map(() => new Map<string, number>());
  for (const { number, key, value } of rows) values[number - 1]!.set(key, value);
  return values;
}

/** A statistic with the value of one player. */
export interface StatOfPlayer extends Pick<
  DefinedStat,
  'key' | 'name' | 'description' | 'aggregation' | 'archived'
> {
  value: number | null;
  updated_at: string | null;
}

const columnsOfPlayer = sql`stats.key, name, description, stats.aggregation, archived,
  value::float8 AS value, changed_at AS updated_at`;

const joinPlayer = ({ game_id, environment, player_id }: PlayerKey) => sql`
  FROM stats
  LEFT JOIN player_stats AS had
    ON had.game_id = stats.game_id AND environment = ${environment}
      AND player_id = ${player_id} AND had.key = stats.key
  WHERE stats.game_id = ${game_id}`;

/** Lists the statistics of a game by key, and of the archived ones those that the player has. */
export async function listStatsOfPlayer(
  database: Queryable,
  player: PlayerKey,
): Promise<StatOfPlayer[]> {
  return database.query(sql`
    SELECT ${columnsOfPlayer} ${joinPlayer(player)} AND (NOT archived OR value IS NOT NULL)
    ORDER BY stats.key`);
}

/** Finds one statistic with the value of a player; null if there is no such statistic. */
export async function findStatOfPlayer(
  database: Queryable,
  player: PlayerKey,
  key: string,
): Promise<(StatOfPlayer & { base: number | null }) | null> {
  return database.queryOne(sql`
    SELECT ${columnsOfPlayer}, base::float8 AS base ${joinPlayer(player)} AND stats.key = ${key}`);
}

/** Lists the hours of a statistic of a player, the oldest first. */
export async function listHours(
  database: Queryable,
  player: PlayerKey,
  key: string,
): Promise<{ hour: string; value: number }[]> {
  return database.query(sql`
    SELECT hour, value::float8 AS value FROM player_stat_hours
    WHERE ${isOfPlayer(player)} AND key = ${key}
    ORDER BY hour`);
}

/** Counts the players of an environment who have a value, by the key of the statistic. */
export async function countPlayersByStat(
  database: Queryable,
  game_id: string,
  environment: Environment,
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ key: string; count: number }>(sql`
    SELECT key, count(*) AS count FROM player_stats
    WHERE game_id = ${game_id} AND environment = ${environment}
    GROUP BY key`);
  return new Map(rows.map(({ key, count }) => [key, count]));
}
