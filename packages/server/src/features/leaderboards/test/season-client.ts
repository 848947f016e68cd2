import assert from 'node:assert/strict';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeTaskDue } from '../../../platform/background/task-store.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from './board-client.ts';
import type { BoardClient } from './board-client.ts';

export const ENV = 'environment=production';

/** The task that gives rewards. */
export const TASK = 'giving rewards of seasons';

/** A game with the board `b`, whose seasons are rewarded. */
export interface SeasonClient extends BoardClient {
  setRewards(...season_rewards: object[]): Promise<void>;
  score(player_id: string, score: number): Promise<TestAnswer>;
  endSeason(): Promise<TestAnswer>;
  /** Lets the server look for seasons to reward, until the rewards of the season are in this state. */
  runTask(season?: number, state?: string): Promise<void>;
}

export async function makeSeasonClient(server: TestServer): Promise<SeasonClient> {
  const client = await makeBoardClient(server);
  return {
    ...client,
    async setRewards(...season_rewards) {
      const { status, text } = await client.manage('PUT', '/b', { season_rewards });
      assert.equal(status, 200, text);
    },
    score: (player_id, score) => client.submit({ board_name: 'b', player_id, score }),
    endSeason: () => client.manage('POST', `/b/reset?${ENV}`),
    async runTask(season = 1, state = 'done') {
      await server.database.execute(sql`
        UPDATE leaderboard_reward_runs SET began_at = now() - interval '1 minute'
        WHERE game_id = ${client.game.game_id} AND state = 'waiting'`);
      await waitUntil(`the season is ${state}`, async () => {
        await server.database.transaction((tx) => makeTaskDue(tx, TASK));
        const { body } = await client.manage('GET', `/b/seasons/${season}/rewards?${ENV}`);
        return body.state === state;
      });
    },
  };
}

/** A reward of 50 coins for some ranks. */
export const coins = (title: string, ranks: object, quantity = 50) => ({
  ...ranks,
  title,
  text: 'Well played',
  rewards: [{ type: 'item', key: 'coins', quantity }],
});
