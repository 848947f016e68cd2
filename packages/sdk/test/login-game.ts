import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TestGame, TestServer } from '../../server/test/harness.ts';

/** A game whose claimed players need a token for each call, and whose studio has accounts. */
export interface LoginGame extends TestGame {
  /** A key with which a server may act for every player. */
  server_key: string;
  /** Signs a token with which a client logs in as the player of an account. */
  sign(account: string): Promise<string>;
  /** Erases a player as its staff do. */
  erase(player_id: string): Promise<void>;
  /** Reads the main save of a player with a server key; null if there is none. */
  readSave(player_id: string): Promise<Record<string, unknown> | null>;
}

export async function makeLoginGame(server: TestServer): Promise<LoginGame> {
  const game = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id });
  const server_key = await server.makeKey(game_id, 'production', 'server');
  const secret = randomBytes(32).toString('base64url');
  const steer = async (method: string, path: string, body?: object) => {
    const { status } = await server.request(method, `/v1/games/${game_id}${path}`, { token, body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}`);
  };
  await steer('PUT', '/login-providers/custom?environment=production', { secret });
  await steer('PATCH', '/player-verification?environment=production', { verification: 'claimed' });
  return {
    ...game,
    server_key,
    sign: (account) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(account)
        .setExpirationTime('4h')
        .setJti(randomUUID())
        .sign(new TextEncoder().encode(secret)),
    erase: (player_id) => steer('DELETE', `/players/${player_id}?environment=production`),
    async readSave(player_id) {
      const path = `/v1/saves?player_id=${player_id}`;
      return (await server.request('GET', path, { key: server_key })).body.data;
    },
  };
}
