import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Environment } from '@overworld/contract/common';
import { getRole } from '../../platform/auth/accounts.ts';
import type { Caller } from '../../platform/auth/caller.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { forRowsOfEachGroup } from '../../platform/database/group-rows.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { PlayerGuard } from '../../platform/players/own-player.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PlayerHistory } from '../../platform/players/player-history.ts';
import { listPlacesOfPlayer, listVisibleGames } from './store.ts';

/**
 * A search in more games than this does not wait for the events in the inbox, so it may miss players whose
 * first event has only just arrived.
 */
const MAX_AWAITED_GAMES = 20;

/**
 * Finds the player that a call names. An API key belongs to one game and environment; an account names them
 * in the query. Without `game_id`, all visible games are searched, and the player may be in only one of them.
 * Without `environment`, production is searched before development.
 * @throws ApiError 404 when there is no such player, 400 when several games have such a player, and the
 * errors of the guard.
 */
export async function choosePlayer(
  services: { database: GroupedDatabase; history: PlayerHistory },
  guard: PlayerGuard,
  call: {
    caller: Caller;
    /** The player to whom the player token of the call belongs; null without a token. */
    player_id: string | null;
    exchange: Exchange;
    params: { player_id: string };
    query: { game_id?: string; environment?: Environment };
  },
): Promise<PlayerKey> {
  const { database, history } = services;
  const { caller, query } = call;
  const { player_id } = call.params;
  if (caller.kind === 'key') {
    const { exchange, player_id: own } = call;
    const player = await guard.ownPlayer({ caller, player_id: own, exchange }, player_id);
    await history.waitForInbox(caller);
    return player;
  }
  if (query.game_id !== undefined) await getRole(database, caller, query.game_id, 'viewer');
  const game_ids =
    query.game_id === undefined ? await listVisibleGames(database, caller) : [query.game_id];
  const environments = query.environment === undefined ? ENVIRONMENTS : [query.environment];
  await database.learnGames(game_ids);

  if (game_ids.length <= MAX_AWAITED_GAMES) {
    await Promise.all(
      game_ids.flatMap((game_id) =>
        environments.map((environment) => history.waitForInbox({ game_id, environment })),
      ),
    );
  }
  const places: PlayerKey[] = [];
  const games = game_ids.map((game_id) => ({ game_id }));
  await forRowsOfEachGroup(database, games, async (group, its_games) => {
    const ids = its_games.map(({ game_id }) => game_id);
    places.push(...(await listPlacesOfPlayer(group, player_id, ids, environments)));
  });
  if (new Set(places.map(({ game_id }) => game_id)).size > 1) {
    throw badRequest('game_id is required: several games have this player');
  }
  const chosen = places.find((player) => player.environment === 'production') ?? places[0];
  if (chosen === undefined) throw notFound('Player not found');
  return chosen;
}
