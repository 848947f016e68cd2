import { ACHIEVEMENTS } from '../src/world/achievements.ts';
import { callApi } from './dashboard-api.ts';
import { BOARDS, GAME_NAME, PARAMETERS } from './definitions.ts';

const ENVIRONMENT = 'production';

/** Settings with which a game reaches its server. */
export interface GameAccess {
  game_id: string;
  api_key: string;
}

/**
 * Makes the game with its achievements, boards, config and API key, through the dashboard's API. Data
 * that exists already stays as it is, so changes made in the dashboard survive a second start.
 * @param token The token of an account that may make games.
 * @param known The value that an earlier call returned.
 */
export async function setUpGame(
  server_url: string,
  token: string,
  known: GameAccess | null,
): Promise<GameAccess> {
  const call = <Body>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    callApi<Body>(server_url, method, path, { token, body });

  const { games } = await call<{ games: { id: string }[] }>('GET', '/v1/games');
  const isThere = games.some(({ id }) => id === known?.game_id);
  const game_id = isThere
    ? known!.game_id
    : (await call<{ id: string }>('POST', '/v1/games', { name: GAME_NAME })).id;
  const game = `/v1/games/${game_id}`;

  const { achievements } = await call<{ achievements: { key: string }[] }>(
    'GET',
    `${game}/achievements?environment=${ENVIRONMENT}`,
  );
  for (const { key, name, description, points, hidden } of ACHIEVEMENTS) {
    if (achievements.some((one) => one.key === key)) continue;
    await call('POST', `${game}/achievements`, { key, name, description, points, hidden });
  }

  const { leaderboards } = await call<{ leaderboards: { board_name: string }[] }>(
    'GET',
    `${game}/leaderboards?environment=${ENVIRONMENT}`,
  );
  for (const { board_name, ...settings } of BOARDS) {
    if (leaderboards.some((one) => one.board_name === board_name)) continue;
    await call('PUT', `${game}/leaderboards/${board_name}`, settings);
  }

  const config_path = `${game}/config?environment=${ENVIRONMENT}`;
  const { version } = await call<{ version: number }>('GET', config_path);
  if (version === 0) await call('PUT', config_path, { version, parameters: PARAMETERS });

  if (isThere && (await isKeyAccepted(server_url, known!.api_key))) return known!;
  const { key } = await call<{ key: string }>('POST', `${game}/api-keys`, {
    name: 'The game itself',
    environment: ENVIRONMENT,
  });
  return { game_id, api_key: key };
}

/**
 * Registers the studio's account server as the game's login provider `custom`, as staff do on the page
 * *Player login*.
 * @param secret The secret with which the account server signs its tokens.
 */
export async function registerAccounts(
  server_url: string,
  token: string,
  game_id: string,
  secret: string,
): Promise<void> {
  const path = `/v1/games/${game_id}/login-providers/custom?environment=${ENVIRONMENT}`;
  await callApi(server_url, 'PUT', path, { token, body: { secret } });
}

/** Tells whether the key works; it may have been revoked in the dashboard. */
async function isKeyAccepted(server_url: string, api_key: string): Promise<boolean> {
  const { status } = await fetch(`${server_url}/v1/config`, {
    headers: { 'x-game-api-key': api_key },
  });
  return status !== 401;
}
