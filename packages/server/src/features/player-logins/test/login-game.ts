import { randomBytes, randomUUID } from 'node:crypto';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

/** A device with its secret. */
export interface Device {
  provider: 'device';
  device_id: string;
  secret: string;
}

export const makeDevice = (): Device => ({
  provider: 'device',
  device_id: randomUUID(),
  secret: randomBytes(32).toString('base64url'),
});

/** A game, and the calls about logins that are made with its key. */
export interface LoginGame extends TestGame {
  logIn(body: object, key?: string): Promise<TestAnswer>;
  refresh(refresh_token: string, key?: string): Promise<TestAnswer>;
  logOut(refresh_token: string): Promise<TestAnswer>;
  link(player_token: string, body: object, key?: string): Promise<TestAnswer>;
  unlink(player_token: string, provider: string): Promise<TestAnswer>;
  /** Registers a provider for production. */
  register(provider: string, body: object): Promise<TestAnswer>;
  /** Calls an operation of the dashboard as the owner of the game. */
  steer(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

export async function makeLoginGame(server: TestServer): Promise<LoginGame> {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const post = (path: string, body: object, key = game.production_key, player_token?: string) =>
    server.request('POST', path, {
      key,
      body,
      headers: player_token === undefined ? {} : { 'x-player-token': player_token },
    });
  const steer = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game.game_id}${path}`, { token, body });
  return {
    ...game,
    logIn: (body, key) => post('/v1/players/login', body, key),
    refresh: (refresh_token, key) => post('/v1/players/refresh', { refresh_token }, key),
    logOut: (refresh_token) => post('/v1/players/logout', { refresh_token }),
    link: (player_token, body, key) => post('/v1/players/link', body, key, player_token),
    unlink: (player_token, provider) =>
      server.request('DELETE', `/v1/players/link?provider=${provider}`, {
        key: game.production_key,
        headers: { 'x-player-token': player_token },
      }),
    register: (provider, body) => steer('PUT', `/login-providers/${provider}`, body),
    steer,
  };
}

/** Returns the status and the error of an answer. */
export const refusalOf = ({ status, body }: TestAnswer): [number, string | undefined] => [
  status,
  body?.error,
];
