import type { Operation } from '@overworld/contract/operation';
import type { FullGame } from './full-game.ts';
import type { TestServer } from './harness.ts';
import type { RequestOptions, TestAnswer } from './test-request.ts';
import { sampleBody, samplePath } from './sample-request.ts';

let addresses = 0;

/** Replaces some members of an example body: names of parts of a game, and values that must be unique. */
function adaptBody(body: Record<string, unknown>, params: Record<string, string>) {
  const names: Record<string, () => unknown> = {
    player_id: () => params.player_id,
    achievement_key: () => params.key,
    board_name: () => params.board_name,
    event_name: () => params.event_name,
    email: () => `somebody${++addresses}@studio.example`,
  };
  const adapted = { ...body };
  for (const [name, make] of Object.entries(names)) if (name in body) adapted[name] = make();
  return adapted;
}

/** Values that replace those of the contract's example bodies, so that the requests succeed. */
const BODIES: Record<string, (params: Record<string, string>) => object> = {
  logInPlayer: () => ({ player_id: undefined }),
  refreshPlayer: ({ refresh_token }) => ({ refresh_token }),
  verifyPlayer: ({ player_token }) => ({ player_token }),
  logOutPlayer: ({ refresh_token }) => ({ refresh_token }),
  linkPlayerLogin: () => ({ device_id: `linked device ${++addresses}` }),
  movePlayer: ({ code }) => ({ code, device_id: `moved device ${++addresses}` }),
  createAccessToken: ({ game_id }) => ({ game_ids: [game_id] }),
  createAchievement: () => ({ key: `new${++addresses}` }),
  changeStats: ({ stat_key }) => ({ changes: [{ key: stat_key, value: 1 }] }),
  createStat: () => ({ key: `new${++addresses}` }),
  createDashboard: () => ({ name: `New dashboard ${++addresses}` }),
  updateDashboard: () => ({ version: undefined }),
  putSave: () => ({ version: undefined }),
  postMessage: ({ player_id }) => ({ to: { type: 'player', player_id } }),
  putGameConfig: () => ({ version: 2 }),
  decideScores: ({ player_id }) => ({ player_ids: [player_id] }),
  createConfigSchedule: () => ({ parameters: { [`k${++addresses}`]: { value: 1 } } }),
};
const QUERIES: Record<string, (params: Record<string, string>) => Record<string, string>> = {
  compareReleases: () => ({ baseline: '1.0.0', release: '1.1.0' }),
  deleteMessage: ({ player_id }) => ({ player_id: player_id! }),
  deleteSave: ({ player_id }) => ({ player_id: player_id! }),
  getSave: ({ player_id }) => ({ player_id: player_id! }),
  listMessages: ({ player_id }) => ({ player_id: player_id! }),
  listMessagePlayers: () => ({ state: 'claimed' }),
  listStats: ({ player_id }) => ({ player_id: player_id! }),
  listSaveSlots: ({ player_id }) => ({ player_id: player_id! }),
  getPlayer: ({ game_id }) => ({ game_id: game_id! }),
  getPlayerTimeline: ({ game_id }) => ({ game_id: game_id! }),
  // The players of the game stay.
  deletePlayers: () => ({ prefix: 'nobody has this id' }),
  getFunnel: ({ event_name }) => ({ steps: JSON.stringify([{ event_name }, { event_name }]) }),
  unlinkPlayerLogin: () => ({ provider: 'device' }),
  removePlayerLogin: ({ subject }) => ({ provider: 'device', subject: subject! }),
  getPaths: ({ event_name }) => ({ event_name: event_name! }),
  getMetric: ({ metric_key }) => ({ metric_key: metric_key! }),
  getBreakdown: ({ event_name }) => ({ event_name: event_name! }),
  getProgression: ({ event_name }) => ({ start_event: event_name!, property: 'level' }),
};

interface ValidRequest {
  path: string;
  body?: Record<string, unknown>;
}

/** Makes a valid request about the parts of a game that `params` names. */
export function validRequest(operation: Operation, params: Record<string, string>): ValidRequest {
  const encoded = Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]);
  const path = samplePath(operation, Object.fromEntries(encoded)).split('?')[0]!;
  const query = new URLSearchParams(QUERIES[operation.id]?.(params)).toString();
  return {
    path: query === '' ? path : `${path}?${query}`,
    body: operation.body && {
      ...adaptBody(sampleBody(operation), params),
      ...BODIES[operation.id]?.(params),
    },
  };
}

/**
 * Returns credentials for the operation: the game's key, with
 * a player token if needed, or the token of the game's owner.
 */
export function ownCredentials({ access, headers }: Operation, game: FullGame): RequestOptions {
  if (Object.hasOwn(headers?.properties ?? {}, 'x-dashboard-link')) {
    return { headers: { 'x-dashboard-link': game.link_secret } };
  }
  if (access === 'anyone') return {};
  if (Object.hasOwn(headers?.properties ?? {}, 'x-player-token')) {
    return { key: game.production_key, headers: { 'x-player-token': game.player_token } };
  }
  if (access === 'server_key') return { key: game.server_key };
  return access === 'key' || access === 'key_or_account'
    ? { key: game.production_key }
    : { token: game.owner.token };
}

/** Calls an operation about parts of the game, with credentials of the game. */
export function callValid(
  server: TestServer,
  operation: Operation,
  game: FullGame,
  options: RequestOptions = ownCredentials(operation, game),
): Promise<TestAnswer> {
  const { path, body } = validRequest(operation, game.params);
  return server.request(operation.method, path, { body, ...options });
}
