import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { notFound } from '../errors.ts';
import { isOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

const selectPlayer = (player: PlayerKey): Sql =>
  sql`SELECT FROM players WHERE ${isOfPlayer(player)}`;

export const hasPlayer = async (database: Queryable, player: PlayerKey): Promise<boolean> =>
  (await database.execute(selectPlayer(player))) > 0;

/** @throws ApiError 404 when the player does not exist. */
export async function requirePlayer(database: Queryable, player: PlayerKey): Promise<void> {
  if (!(await hasPlayer(database, player))) throw notFound('Player not found');
}

/**
 * Keeps the player from being erased until the transaction ends; others may write it meanwhile.
 * @throws ApiError 404 when the player does not exist.
 */
export async function lockPlayer(tx: Queryable, player: PlayerKey): Promise<void> {
  const locked = await tx.execute(sql`${selectPlayer(player)} FOR KEY SHARE`);
  if (locked === 0) throw notFound('Player not found');
}

/**
 * A CTE's query that locks many players as `lockPlayer` locks one. The statement must count its rows.
 * It looks players up one by one: the plan of a join, made while tables were empty, would read all
 * players ever after.
 * @param source Name of a CTE with `game_id`, `environment` and `player_id`; a player may come twice.
 */
export const lockPlayersOf = (source: Sql): Sql => sql`
  SELECT
  FROM (SELECT DISTINCT game_id, environment, player_id
        FROM ${source}
        ORDER BY game_id, environment, player_id) AS named
  CROSS JOIN LATERAL (
    SELECT FROM players
    WHERE players.game_id = named.game_id AND players.environment = named.environment
      AND players.player_id = named.player_id
    OFFSET 0
    FOR KEY SHARE
  ) AS known`;
