import { setTimeout as sleep } from 'node:timers/promises';
import type { PlayerMerge } from '@overworld/contract/players/merges';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A game whose own server writes data of its players, and merges players. */
export interface MergeClient {
  game: TestGame;
  server_key: string;
  /** Makes a call with the server key. */
  call(method: string, path: string, body?: unknown, node?: TestServer): Promise<TestAnswer>;
  merge(player_id: string, body: object, node?: TestServer): Promise<TestAnswer>;
  identify(player_id: string, properties?: object): Promise<TestAnswer>;
  tag(player_id: string, tag: string): Promise<TestAnswer>;
  track(player_id: string, session_id: string, event_name?: string): Promise<TestAnswer>;
  defineAchievements(...keys: string[]): Promise<void>;
  unlock(player_id: string, achievement_key: string): Promise<TestAnswer>;
  /** Reads the player from the server. */
  show(player_id: string): Promise<TestAnswer['body']>;
  /** Waits until all merges into the player have moved their events. */
  waitForEvents(player_id: string): Promise<PlayerMerge[]>;
}

export async function makeMergeClient(server: TestServer): Promise<MergeClient> {
  const game = await server.makeGame();
  const server_key = await server.makeKey(game.game_id, 'production', 'server');
  const call: MergeClient['call'] = (method, path, body, node = server) =>
    node.request(method, path, { key: server_key, body });
  const pathOf = (player_id: string) => `/v1/players/${encodeURIComponent(player_id)}`;
  return {
    game,
    server_key,
    call,
    merge: (player_id, body, node) => call('POST', `${pathOf(player_id)}/merge`, body, node),
    identify: (player_id, properties = {}) =>
      call('POST', '/v1/identify', { player_id, properties }),
    tag: (player_id, tag) => call('POST', `${pathOf(player_id)}/tags`, { tag }),
    track: (player_id, session_id, event_name = 'e') =>
      call('POST', '/v1/track', { event_name, session_id, player_id }),
    async defineAchievements(...keys) {
      for (const key of keys) {
        await server.database.execute(sql`
          INSERT INTO achievements (game_id, key, name, position)
          VALUES (${game.game_id}, ${key}, ${key}, 1)`);
      }
    },
    unlock: (player_id, achievement_key) =>
      call('POST', '/v1/achievements/unlock', { player_id, achievement_key }),
    show: async (player_id) => (await call('GET', pathOf(player_id))).body,
    async waitForEvents(player_id) {
      for (;;) {
        const { body } = await call('GET', `${pathOf(player_id)}/merges`);
        const merges = body.merges as PlayerMerge[];
        if (merges.every(({ state }) => state === 'complete')) return merges;
        await sleep(50);
      }
    },
  };
}
