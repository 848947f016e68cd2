import type { Environment } from '@overworld/contract/common';
import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import { useParams } from 'react-router';
import { useRequired } from '../api/hooks.ts';
import type { Answer } from '../api/operations.ts';

export type Game = Answer<'GET /v1/games'>['games'][number];

export const ENVIRONMENTS: readonly Environment[] = ['production', 'development'];

export const ENVIRONMENT_NAMES: Record<Environment, string> = {
  production: 'Production',
  development: 'Development',
};

export const isEnvironment = (text: string | undefined): text is Environment =>
  ENVIRONMENTS.some((name) => name === text);

/** Returns the URL path of a page of a game. */
export const gamePath = (game_id: string, environment: Environment, page = 'overview') =>
  `/games/${game_id}/${environment}/${page}`;

/**
 * The path to go to when the game on the screen is gone. This path removes the pages of the
 * game from the screen, because they fail once the list of games is loaded again without
 * the game. Then it leads to the home page.
 */
export const LEFT_GAME = '/left-game';

/** The role that may change the keys and the player verification of an environment. */
export const roleForKeys = (of: Environment): Role => (of === 'production' ? 'admin' : 'developer');

/** The game and environment that the URL names, and the rights of the user there. */
export function useGame() {
  const params = useParams();
  const { games } = useRequired('GET /v1/games', {});
  const environment: Environment = isEnvironment(params.environment)
    ? params.environment
    : 'production';
  const game = games.find(({ id }) => id === params.game_id);
  if (game === undefined) throw new Response('Game not found', { status: 404 });
  /** Tells whether the user's role allows everything that `role` allows. */
  const can = (role: Role) => ROLES.indexOf(game.role) >= ROLES.indexOf(role);
  return {
    game,
    game_id: game.id,
    environment,
    can,
    /** Tells whether the user may change the keys and the player verification of an environment. */
    canChangeKeys: (of: Environment) => can(roleForKeys(of)),
    /** The URL path of a page of this game, or of one item that the page lists. */
    path: (page: string, item?: string) =>
      gamePath(
        game.id,
        environment,
        item === undefined ? page : `${page}/${encodeURIComponent(item)}`,
      ),
    /** The input of a call about this environment of the game. */
    inEnvironment: <Ids extends object, Query extends object>(ids?: Ids, query?: Query) => ({
      params: { game_id: game.id, ...ids } as Ids & { game_id: string },
      query: { environment, ...query } as Query & { environment: Environment },
    }),
  };
}

const LAST_PLACE = 'overworld.last-place';

/** The game and environment that the user saw last. The home page leads there. */
export const lastPlace = {
  read(): { game_id: string; environment: Environment } | null {
    const [game_id = '', environment] = (localStorage.getItem(LAST_PLACE) ?? '').split('/');
    return isEnvironment(environment) ? { game_id, environment } : null;
  },
  write(game_id: string, environment: Environment): void {
    localStorage.setItem(LAST_PLACE, `${game_id}/${environment}`);
  },
};
