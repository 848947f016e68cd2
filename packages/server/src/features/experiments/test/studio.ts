import assert from 'node:assert/strict';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';

/** A game with a config, whose developer makes experiments in production. */
export interface Studio extends TestGame {
  token: string;
  /** Sends a request as the dashboard does; `path` comes after the path of the game. */
  steer(method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** Creates and starts an experiment. @returns its id. */
  start(experiment: object): Promise<string>;
  /** Reads the config with the values for a player. */
  read(player_id?: string, headers?: Record<string, string>): Promise<TestAnswer>;
  /** Waits until there are this many stored exposures. @returns the exposures. */
  waitForExposures(count: number): Promise<{ player_id: string; variant: number }[]>;
}

export const HALVES = {
  name: 'Reward',
  share: 100,
  variants: [
    { name: 'Control', weight: 1 },
    { name: 'Generous', weight: 1, values: { reward: 200 } },
  ],
  metrics: [{ kind: 'retention', days: 1 }],
};

export async function makeStudio(server: TestServer): Promise<Studio> {
  const game = await server.makeGame();
  const { game_id, production_key: key } = game;
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const steer: Studio['steer'] = (method, path, body) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  const parameters = {
    reward: { value: 100, rules: [{ has_tags: ['vip'], value: 150 }] },
    shop: { value: { open: true } },
  };
  assert.equal((await steer('PUT', '/config', { parameters })).status, 200);
  return {
    ...game,
    token,
    steer,
    async start(experiment) {
      const created = await steer('POST', '/experiments', experiment);
      assert.equal(created.status, 201, created.text);
      const { id } = created.body as { id: string };
      const started = await steer('POST', `/experiments/${id}/start`);
      assert.equal(started.status, 200, started.text);
      return id;
    },
    read(player_id, headers) {
      const query = player_id === undefined ? '' : `?player_id=${encodeURIComponent(player_id)}`;
      return server.request('GET', `/v1/config${query}`, { key, headers });
    },
    async waitForExposures(count) {
      let found: { player_id: string; variant: number }[] = [];
      await waitUntil(`${count} exposures`, async () => {
        found = await server.database.query(sql`
          SELECT player_id, variant FROM experiment_exposures
          WHERE game_id = ${game_id} ORDER BY player_id`);
        return found.length >= count;
      });
      return found;
    },
  };
}
