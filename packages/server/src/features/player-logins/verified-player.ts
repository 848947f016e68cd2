import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { ApiError } from '../../platform/errors.ts';
import { isFollowed } from '../../platform/players/merged-ids.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { sortProviders } from './login-store.ts';

/**
 * Finds the player whom a valid player token names now: the player of the token, or the one into whom that
 * player was merged since.
 * @throws ApiError 401 when the player was erased.
 */
export async function getVerifiedPlayer(
  queryable: Queryable,
  player: PlayerKey,
): Promise<{ player_id: string; providers: string[] }> {
  const found = await queryable.queryOne<{ player_id: string; providers: string[] }>(sql`
    SELECT player_id, ARRAY(
      SELECT provider FROM player_identities AS identity
      -- Only the player is looked up by an index: the primary key would read all players of the game.
      WHERE identity.player_id = known.player_id
        AND identity.game_id IS NOT DISTINCT FROM known.game_id
        AND identity.environment IS NOT DISTINCT FROM known.environment
    ) AS providers
    FROM players AS known
    WHERE ${isOfTenant(player)} AND player_id = COALESCE((
      SELECT merge.player_id FROM player_merges AS merge
      WHERE merge.game_id = ${player.game_id} AND merge.environment = ${player.environment}
        AND merge.from_player_id = ${player.player_id} AND ${isFollowed(sql`merge`)}
    ), ${player.player_id})`);
  if (found === null) throw new ApiError(401, 'The player of this token was erased');
  return { player_id: found.player_id, providers: sortProviders(found.providers) };
}
