import assert from 'node:assert/strict';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';

/** A game's boards, as its clients and its dashboard use them. */
export interface BoardClient {
  game: TestGame;
  submit(body: object, server?: TestServer, headers?: Record<string, string>): Promise<TestAnswer>;
  page(board_name: string, query?: string, server?: TestServer): Promise<TestAnswer>;
  /** Sends a dashboard request as an owner, to a path below the game's leaderboards. */
  manage(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** Lists all entries by rank as texts `player score`, and checks that the ranks are 1, 2, 3, …. */
  standings(board_name: string, query?: string, server?: TestServer): Promise<string[]>;
}

export async function makeBoardClient(server: TestServer): Promise<BoardClient> {
  const game = await server.makeGame();
  const key = game.production_key;
  const client: BoardClient = {
    game,
    submit: (body, node = server, headers = {}) =>
      node.request('POST', '/v1/leaderboards', { key, body, headers }),
    page: (board_name, query = '', node = server) =>
      node.request('GET', `/v1/leaderboards/${encodeURIComponent(board_name)}?${query}`, { key }),
    async manage(method, path, body) {
      // Each request has a new token: tests change the time, and tokens expire.
      const { token } = await server.makeAccount({ game_id: game.game_id });
      const url = `/v1/games/${game.game_id}/leaderboards${path}`;
      return server.request(method, url, { token, body });
    },
    async standings(board_name, query = '', node = server) {
      const { status, body, text } = await client.page(board_name, `limit=100&${query}`, node);
      assert.equal(status, 200, text);
      const entries = body.entries as { rank: number; player_id: string; score: number }[];
      assert.deepEqual(
        entries.map(({ rank }) => rank),
        entries.map((_, index) => index + 1),
      );
      assert.equal(body.total_entries, entries.length);
      return entries.map(({ player_id, score }) => `${player_id} ${score}`);
    },
  };
  return client;
}
