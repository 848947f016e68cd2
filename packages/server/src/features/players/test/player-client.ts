import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';

/** The API calls about one player, as the game and the dashboard send them. */
export interface PlayerClient {
  player_id: string;
  /** Returns the API path of the player for the dashboard, with `more` at its end. */
  pathOf(more?: string): string;
  identify(properties: object, key?: string): Promise<TestAnswer>;
  /** Stores properties, a tag, a save and an event of the player, and an event of another player. */
  fill(): Promise<void>;
  patch(body: unknown, token?: string): Promise<TestAnswer>;
  get(more?: string, token?: string): Promise<TestAnswer>;
  erase(): Promise<TestAnswer>;
  /** Finds the audit entry of an action on the player; null when there is none. */
  findAudit(action: string): Promise<{ details: unknown } | null>;
}

export interface PlayerStudio {
  game: TestGame;
  /** For each role, the token of a member who has it. */
  tokens: Record<'viewer' | 'developer' | 'admin', string>;
  /** Makes a client for a player with a new id, who does not exist yet. */
  nextPlayer(): PlayerClient;
}

/** Makes a game with a member of each role. */
export async function makeStudio(server: TestServer): Promise<PlayerStudio> {
  const game = await server.makeGame();
  const { game_id } = game;
  const makeToken = async (role: 'viewer' | 'developer' | 'admin') =>
    (await server.makeAccount({ game_id, role })).token;
  const tokens = {
    viewer: await makeToken('viewer'),
    developer: await makeToken('developer'),
    admin: await makeToken('admin'),
  };
  let players = 0;
  return {
    game,
    tokens,
    nextPlayer() {
      const player_id = `a/b%25 ${++players}`;
      const pathOf = (more = '') =>
        `/v1/games/${game_id}/players/${encodeURIComponent(player_id)}${more}`;
      return {
        player_id,
        pathOf,
        identify: (properties, key = game.production_key) =>
          server.request('POST', '/v1/identify', { key, body: { player_id, properties } }),
        async fill() {
          const key = game.production_key;
          await this.identify({ level: 1 });
          const path = `/v1/players/${encodeURIComponent(player_id)}/tags`;
          await server.request('POST', path, { key, body: { tag: 'vip' } });
          await server.request('PUT', '/v1/saves', {
            key,
            body: `{"player_id":"${player_id}","data":{ "t":"\\u0000\\ud800" }}`,
          });
          await server.request('POST', '/v1/track', {
            key,
            body: [
              { event_name: 'e', session_id: 's', player_id },
              { event_name: 'other', session_id: 's', player_id: 'somebody else' },
            ],
          });
        },
        patch: (body, token = tokens.developer) =>
          server.request('PATCH', pathOf(), { token, body }),
        get: (more = '', token = tokens.viewer) => server.request('GET', pathOf(more), { token }),
        erase: () => server.request('DELETE', pathOf(), { token: tokens.admin }),
        findAudit: (action) =>
          server.database.queryOne<{ details: unknown }>(sql`
            SELECT details FROM audit_log
            WHERE game_id = ${game_id} AND action = ${action} AND target = ${player_id}`),
      };
    },
  };
}
