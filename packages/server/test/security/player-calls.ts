import { takesKey, takesServerKey } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import type { Verification } from '@overworld/contract/players/verification';
import assert from 'node:assert/strict';
import type { FullGame } from '../full-game.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions, TestAnswer } from '../test-request.ts';
import { validRequest } from '../valid-request.ts';

/** Boards are public: they show ids, names and scores. */
const PUBLIC = new Set(['getLeaderboard', 'getLeaderboardAround', 'listLeaderboardPlayers']);
/** Operations that anybody may call about any player. */
const OPEN = new Set([
  ...PUBLIC,
  // The login of a player whom nobody owns yet makes the caller the owner. The feature has its own tests.
  'logInPlayer',
]);

const namesPlayer = ({ params, query, body }: Operation) =>
  JSON.stringify([params, query, body]).includes('"player_id');
export const FOR_GAMES = OPERATIONS.filter(takesKey);
/** All operations with a key that are about one player, also those for server keys alone and logins. */
export const OF_ONE_PLAYER = OPERATIONS.filter(
  (operation) =>
    (takesKey(operation) || takesServerKey(operation)) &&
    namesPlayer(operation) &&
    !PUBLIC.has(operation.id),
);
/** Operations that a player may call only after a new login. */
const IDS_OF_NEW_LOGINS = new Set(['erasePlayer', 'exportOwnPlayer']);
export const OF_NEW_LOGINS = FOR_GAMES.filter(({ id }) => IDS_OF_NEW_LOGINS.has(id));
/** The operations that name a player and are closed to strangers, if the game asks for player tokens. */
export const CLOSED = FOR_GAMES.filter(
  (operation) =>
    namesPlayer(operation) && !OPEN.has(operation.id) && !OF_NEW_LOGINS.includes(operation),
);

export const OF_ANOTHER_PLAYER = {
  status: 403,
  error: 'This player token belongs to another player',
} as const;
export const TOKEN_MISSING = { status: 401, error: 'Missing x-player-token header' } as const;

export const withToken = (key: string, player_token: string): RequestOptions => ({
  key,
  headers: { 'x-player-token': player_token },
});

/** Changes the settings that say which calls need a player token. */
export async function setVerification(
  server: TestServer,
  { game_id, owner }: FullGame,
  settings: { verification: Verification; allows_claims?: boolean },
): Promise<void> {
  const path = `/v1/games/${game_id}/player-verification`;
  const options = { token: owner.token, body: settings };
  assert.equal((await server.request('PATCH', path, options)).status, 200);
}

/** Calls an operation about a player of a game. */
export function callAbout(
  server: TestServer,
  game: FullGame,
  player_id: string,
  operation: Operation,
  { headers, ...options }: RequestOptions,
): Promise<TestAnswer> {
  const { path, body: valid } = validRequest(operation, { ...game.params, player_id });
  const takesId =
    'player_id' in ((operation.body as { properties?: object } | undefined)?.properties ?? {});
  const body = valid && { ...valid, ...(takesId && { player_id }) };
  const url = new URL(path, 'http://server');
  if ('player_id' in (operation.query?.properties ?? {})) {
    url.searchParams.set('player_id', player_id);
  }
  const asked = path.split('?')[0]! + url.search;
  return server.request(operation.method, asked, { body, headers, ...options });
}
