import assert from 'node:assert/strict';
import type { TestAnswer } from '../../../../test/test-request.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';

/** A game whose studio sends messages to players. */
export interface MessageGame extends TestGame {
  server_key: string;
  token: string;
  account_id: string;
  /** Makes a call of a game. */
  play(method: string, path: string, body?: unknown, node?: TestServer): Promise<TestAnswer>;
  /** Makes a call of a member about production, below the path of the game. */
  steer(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** Sends a message by a member. @returns its id. */
  send(to: object, more?: object): Promise<string>;
  list(player_id: string, more?: Record<string, string>): Promise<TestAnswer['body']>;
  /** The titles of the messages of a player, in the order of the list. */
  titles(player_id: string): Promise<string[]>;
  claim(player_id: string, message_id: string, node?: TestServer): Promise<TestAnswer>;
  identify(player_id: string, properties?: object): Promise<void>;
}

export const COINS = [{ type: 'item', key: 'coins', quantity: 50 }];

export async function makeMessageGame(server: TestServer): Promise<MessageGame> {
  const game = await server.makeGame();
  const server_key = await server.makeKey(game.game_id, 'production', 'server');
  const { token, account_id } = await server.makeAccount({ game_id: game.game_id });
  const play: MessageGame['play'] = (method, path, body, node = server) =>
    node.request(method, path, { key: game.production_key, body });
  const steer: MessageGame['steer'] = (method, path, body) =>
    server.request(method, `/v1/games/${game.game_id}${path}`, { token, body });
  const list: MessageGame['list'] = async (player_id, more = {}) => {
    const query = new URLSearchParams({ player_id, ...more });
    const { status, body, text } = await play('GET', `/v1/messages?${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  return {
    ...game,
    server_key,
    token,
    account_id,
    play,
    steer,
    async send(to, more = {}) {
      const { status, body, text } = await steer('POST', '/messages', { to, title: 'T', ...more });
      assert.equal(status, 201, text);
      return body.id;
    },
    list,
    titles: async (player_id) =>
      (await list(player_id)).messages.map(({ title }: { title: string }) => title),
    claim: (player_id, message_id, node) =>
      play('POST', `/v1/messages/${message_id}/claim`, { player_id }, node),
    async identify(player_id, properties = {}) {
      const { status } = await play('POST', '/v1/identify', { player_id, properties });
      assert.equal(status, 200);
    },
  };
}
