import assert from 'node:assert/strict';
import type { TestGame } from '../../server/test/harness.ts';
import type { TestAccount } from '../../server/test/test-account.ts';
import type { TestAnswer } from '../../server/test/test-request.ts';
import { openStage } from './browser.ts';
import type { Stage } from './browser.ts';

/** A server and a browser for tests of the dashboard (a stage), with a game. */
export interface GameStage {
  stage: Stage;
  game: TestGame;
  /** Owns the game, and administers the installation. */
  owner: TestAccount;
  /** Sends a request as a client of the game does. The request must succeed. */
  send(method: string, path: string, body?: unknown): Promise<TestAnswer['body']>;
  /** Sends a request as the owner. The path begins after the path of the game. */
  ask(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

export async function openGameStage(): Promise<GameStage> {
  const stage = await openStage();
  const game = await stage.server.makeGame();
  const { game_id, production_key: key } = game;
  const owner = await stage.server.makeAccount({ game_id, is_administrator: true });
  return {
    stage,
    game,
    owner,
    async send(method, path, body) {
      const answer = await stage.server.request(method, path, { key, body });
      assert.ok(answer.status < 300, `${path}: ${answer.text}`);
      return answer.body;
    },
    ask: (method, path, body) =>
      stage.server.request(method, `/v1/games/${game_id}/${path}`, { token: owner.token, body }),
  };
}
