import type { Queryable } from '../../platform/database/database.ts';
import { ApiError, conflict } from '../../platform/errors.ts';
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
   * @returns for each whether there is such a statistic that events do not move; an error 409 where a bound refuses the change.
   */
  async give(tx: Queryable, rewards: readonly StatReward[]): Promise<(boolean | ApiError)[]> {
    const changes = rewards.map(
      ({ game_id, environment, player_id, reward: { key, value = 0 } }) => ({
        game_id,
        environment,
        player_id,
        key,
        value,
      }),
    );
    const results = await changeStats(tx, changes);
    return results.map((result) => {
      if (!(result instanceof ApiError)) return true;
      if (result.status >= 500) throw result;
      // It is gone, or events move it now. The player gets the other rewards.
      if (result.body.code !== 'STAT_OUT_OF_BOUNDS') return false;
      return conflict(`A reward cannot be given now: ${result.message}`);
    });
  },
  /** Finds those of these keys that name no statistic of the game that calls can change. */
  async listUnknown(tx: Queryable, game_id: string, keys: readonly string[]): Promise<string[]> {
    const known = await listDefinedStats(tx, game_id);
    return keys.filter(
      (key) => !known.some((stat) => stat.key === key && !stat.archived && stat.source === null),
    );
  },
});
