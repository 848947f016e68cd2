import type { Environment } from '@overworld/contract/common';
import { MAX_PLAYER_PROPERTIES_BYTES } from '@overworld/contract/players/players';
import { isReached } from '../../platform/auth/accounts.ts';
import type { AccountCaller } from '../../platform/auth/accounts.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { playerColumns, toPlayer } from '../../platform/players/player.ts';
import type { Player, PlayerRow } from '../../platform/players/player.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { SentUpdate } from './player-body.ts';

/** @throws ApiError 404 when there is no such player. */
export async function getPlayer(queryable: Queryable, player: PlayerKey): Promise<Player> {
  const row = await queryable.queryOne<PlayerRow>(sql`
    SELECT ${playerColumns}
    FROM players
    WHERE ${isOfPlayer(player)}`);
  if (row === null) throw notFound('Player not found');
  return toPlayer(row);
}

/**
 * Lists the games that a caller may see: those of which the account is a member and which its access token
 * reaches, or all games for an administrator.
 */
export async function listVisibleGames(
  queryable: Queryable,
  account: AccountCaller,
): Promise<string[]> {
  const { account_id, is_administrator } = account;
  const rows = await queryable.query<{ id: string }>(
    is_administrator
      ? sql`SELECT id FROM games`
      : sql`SELECT game_id AS id FROM game_members
            WHERE account_id = ${account_id} AND ${isReached(account, sql`game_id`)}`,
  );
  return rows.map(({ id }) => id);
}

/** Finds the players with this id in these games and environments. */
export async function listPlacesOfPlayer(
  queryable: Queryable,
  player_id: string,
  game_ids: readonly string[],
  environments: readonly Environment[],
): Promise<PlayerKey[]> {
  return queryable.query(sql`
    SELECT game_id, environment, player_id
    FROM players
    WHERE game_id = ANY (${game_ids}::uuid[]) AND environment = ANY (${environments}::environment[])
      AND player_id = ${player_id}`);
}

/**
 * Locks the player until the transaction ends. @returns
 * the player's tags, or null if there is no such player.
 */
export async function lockPlayerForUpdate(
  tx: Queryable,
  player: PlayerKey,
): Promise<string[] | null> {
  const row = await tx.queryOne<{ tags: string[] }>(sql`
    SELECT tags FROM players
    WHERE ${isOfPlayer(player)}
    FOR UPDATE`);
  return row && row.tags;
}

/** @returns the changed player; null when the properties would be too large. */
export async function updatePlayer(
  tx: Queryable,
  player: PlayerKey,
  { properties, remove_properties }: SentUpdate,
  tags: string[],
): Promise<Player | null> {
  const changed = sql`(properties - ${remove_properties}::text[]) || ${properties ?? '{}'}::jsonb`;
  const row = await tx.queryOne<PlayerRow>(sql`
    UPDATE players
    SET properties = ${changed}, tags = ${tags}::text[]
    WHERE ${isOfPlayer(player)}
      AND octet_length((${changed})::text) <= ${MAX_PLAYER_PROPERTIES_BYTES}
    RETURNING ${playerColumns}`);
  return row && toPlayer(row);
}

/** @returns whether the player existed. */
export async function deletePlayer(tx: Queryable, player: PlayerKey): Promise<boolean> {
  const count = await tx.execute(sql`
    DELETE FROM players
    WHERE ${isOfPlayer(player)}`);
  return count > 0;
}
