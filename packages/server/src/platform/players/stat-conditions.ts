import type { StatFilter } from '@overworld/contract/players/player-filters';
import type { Static } from 'typebox';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { badRequest } from '../errors.ts';

/** A condition on a statistic of players. */
export type StatCondition = Static<typeof StatFilter>;

const COMPARISONS = {
  eq: sql`=`,
  ne: sql`IS DISTINCT FROM`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

/**
 * Writes a condition as SQL on a row of the table `players`.
 * @param sent The value as text.
 */
export function statToSql({ stat, operator }: StatCondition, sent: Sql): Sql {
  const of_player = sql`
    FROM player_stats AS had
    WHERE had.game_id = players.game_id AND had.environment = players.environment
      AND had.player_id = players.player_id AND had.key = ${stat}::text`;
  switch (operator) {
    case 'exists':
      return sql`EXISTS (SELECT ${of_player})`;
    case 'not_exists':
      return sql`NOT EXISTS (SELECT ${of_player})`;
    default:
      return sql`(SELECT had.value ${of_player}) ${COMPARISONS[operator]} (${sent})::numeric`;
  }
}

/**
 * Checks that a game has the statistics of these conditions; others are left out.
 * @param name The name of the list in messages, such as `filter`.
 * @throws ApiError 400 that names the condition and the statistic.
 */
export async function requireStats(
  database: Queryable,
  game_id: string,
  conditions: readonly (object | StatCondition)[],
  name: string,
): Promise<void> {
  const keys = conditions.flatMap((each) => ('stat' in each ? [each.stat] : []));
  const [unknown] = await listUnknownStats(database, game_id, keys);
  if (unknown === undefined) return;
  const index = conditions.findIndex((each) => 'stat' in each && each.stat === unknown);
  throw badRequest(`${name}[${index}].stat: the game has no statistic ${JSON.stringify(unknown)}`);
}

/** Lists those of some keys that are of no statistic of the game. Archived statistics are known. */
export async function listUnknownStats(
  database: Queryable,
  game_id: string,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await database.query<{ key: string }>(sql`
    SELECT key FROM stats WHERE game_id = ${game_id} AND key = ANY(${[...keys]}::text[])`);
  const known = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !known.has(key));
}
