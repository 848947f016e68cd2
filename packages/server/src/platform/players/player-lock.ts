import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { notFound } from '../errors.ts';
import { isOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

const selectPlayer = (player: PlayerKey): Sql =>
  sql`SELECT FROM players WHERE ${isOfPlayer(player)}`;

/** Tells whether the player exists and counts against the game's limit of players; takes no lock. */
export const hasCountedPlayer = async (database: Queryable, player: PlayerKey): Promise<boolean> =>
  (await database.execute(sql`${selectPlayer(player)} AND counted_at IS NOT NULL`)) > 0;

/** Tells whether the player exists; takes no lock. */
export const hasPlayer = async (database: Queryable, player: PlayerKey): Promise<boolean> =>
  (await database.execute(selectPlayer(player))) > 0;

/** @throws ApiError 404 when the player does not exist. */
export async function requirePlayer(database: Queryable, player: PlayerKey): Promise<void> {
  if (!(await hasPlayer(database, player))) throw notFound('Player not found');
}

/**
 * Prevents the erasure of the player until the transaction ends. Other transactions may write the
 * player's data meanwhile.
 * @throws ApiError 404 when the player does not exist.
 */
export async function lockPlayer(tx: Queryable, player: PlayerKey): Promise<void> {
  const locked = await tx.execute(sql`${selectPlayer(player)} FOR KEY SHARE`);
  if (locked === 0) throw notFound('Player not found');
}

/**
 * SQL of common table expressions for a statement that writes data of many players. `locked_players` locks
 * the players who exist and count as `lockPlayer` does: an erasure of such a player waits until the data is
 * written, and then also erases this data. `new_players` makes the players who do not exist yet, and counts
 * those whom only events have named.
 * @param source The name of a common table expression with `game_id`, `environment` and `player_id`; a
 * player may occur twice.
 */
export const lockPlayersOf = (source: Sql): Sql => sql`
  locked_players AS MATERIALIZED (
    SELECT named.*
    FROM (SELECT DISTINCT game_id, environment, player_id
          FROM ${source}
          ORDER BY game_id, environment, player_id) AS named
    -- Row by row: a plan for a join, made while the tables were empty, would read all players.
    CROSS JOIN LATERAL (
      SELECT FROM players
      WHERE players.game_id = named.game_id AND players.environment = named.environment
        AND players.player_id = named.player_id AND counted_at IS NOT NULL
      OFFSET 0
      FOR KEY SHARE
    ) AS known
  ), new_players AS (
    INSERT INTO players AS known (game_id, environment, player_id)
    SELECT game_id, environment, player_id FROM ${source}
    EXCEPT
    SELECT game_id, environment, player_id FROM locked_players
    ORDER BY game_id, environment, player_id
    ON CONFLICT (game_id, environment, player_id) DO UPDATE
    SET counted_at = EXCLUDED.counted_at
    WHERE known.counted_at IS NULL
  )`;
