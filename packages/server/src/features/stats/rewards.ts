import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
import { nameOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { ChangeStats } from './changes/change-stats.ts';
import { listDefinedStats } from './definition-store.ts';

interface StatReward extends PlayerKey {
  reward: { key: string; value?: number };
}

/** Makes the giver of changes of statistics as rewards. */
export const createStatRewards = (changeStats: ChangeStats) => ({
  /**
   * Changes statistics of players, in the transaction of the caller, which runs in `retryCollisions`.
   * @returns for each whether there is such a statistic; an error 409 where a bound refuses the change.
   */
  async give(tx: Queryable, rewards: readonly StatReward[]): Promise<(boolean | ApiError)[]> {
    const given: (boolean | ApiError)[] = rewards.map(() => true);
    // Always in the same order, so that two transactions seldom wait for each other.
    const places = [...rewards.keys()].toSorted((a, b) => compare(rewards[a]!, rewards[b]!));
    for (const place of places) {
      const { game_id, environment, player_id, reward } = rewards[place]!;
      const change = { key: reward.key, value: reward.value ?? 0 };
      try {
        await changeStats(tx, { game_id, environment, player_id }, [change]);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        given[place] =
          error.status === 404 ? false : conflict(`A reward cannot be given now: ${error.message}`);
      }
    }
    return given;
  },
  /** Finds those of these keys that name no statistic of the game that calls can change. */
  async listUnknown(tx: Queryable, game_id: string, keys: readonly string[]): Promise<string[]> {
    const known = await listDefinedStats(tx, game_id);
    return keys.filter(
      (key) => !known.some((stat) => stat.key === key && !stat.archived && stat.source === null),
    );
  },
});

const nameOf = (reward: StatReward) => `${nameOfPlayer(reward)}\0${reward.reward.key}`;
const compare = (a: StatReward, b: StatReward): number => (nameOf(a) < nameOf(b) ? -1 : 1);
