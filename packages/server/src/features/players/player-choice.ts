import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { getRole } from '../../platform/auth/accounts.ts';
import type { Caller } from '../../platform/auth/authenticate.ts';
import type { Database } from '../../platform/database/database.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import { listPlacesOfPlayer, listVisibleGames } from './store.ts';

/** With more games, the search may miss players whose first event came this second. */
const MAX_AWAITED_GAMES = 20;

/**
 * Finds the player that a caller means. An API key has one game and environment; a caller with a
 * token names them in the query. Without `game_id` only one game may have such a player. Without
 * `environment`, production is searched before development.
 * @throws ApiError 404 when there is none, 400 when several games have one.
 */
export async function choosePlayer(
  services: { database: Database; history: PlayerHistory },
  caller: Caller,
  player_id: string,
  query: { game_id?: string; environment?: Environment },
): Promise<PlayerKey> {
  const { database, history } = services;
  if (caller.kind === 'key') {
    const { game_id, environment } = caller;
    await history.waitForInbox(caller);
    return { game_id, environment, player_id };
  }
  if (query.game_id !== undefined) await getRole(database, caller, query.game_id, 'viewer');
  const game_ids =
    query.game_id === undefined ? await listVisibleGames(database, caller) : [query.game_id];
  const environments = query.environment === undefined ? ENVIRONMENTS : [query.environment];

  if (game_ids.length <= MAX_AWAITED_GAMES) {
    await Promise.all(
      game_ids.flatMap((game_id) =>
        environments.map((environment) => history.waitForInbox({ game_id, environment })),
      ),
    );
  }
  const places = await listPlacesOfPlayer(database, player_id, game_ids, environments);
  if (new Set(places.map(({ game_id }) => game_id)).size > 1) {
    throw badRequest('game_id is required: several games have this player');
  }
  const chosen = places.find(({ environment }) => environment === 'production') ?? places[0];
  if (chosen === undefined) throw notFound('Player not found');
  return chosen;
}
