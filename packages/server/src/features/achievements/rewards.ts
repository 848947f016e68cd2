import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { keyArrays } from '../../platform/players/player-key.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { postUnlocks } from './unlock-events.ts';

interface AchievementReward extends PlayerKey {
  reward: { key: string };
}

/** Achievements as rewards. A player who has one already keeps the first time. Archived ones can be given, too. */
export const achievementRewards = {
  /**
   * Gives players achievements, in the transaction of the caller, who has locked the players.
   * @returns for each whether the achievement exists.
   */
  async give(tx: Queryable, rewards: readonly AchievementReward[]): Promise<boolean[]> {
    const rows = await tx.query<{ index: number }>(sql`
      WITH asked AS (
        SELECT * FROM unnest(${keyArrays(rewards)}, ${rewards.map(({ reward }) => reward.key)}::text[])
          WITH ORDINALITY AS asked (game_id, environment, player_id, achievement_key, number)
      ), defined AS MATERIALIZED (
        SELECT asked.*
        FROM asked
        CROSS JOIN LATERAL (
          SELECT FROM achievements
          WHERE achievements.game_id = asked.game_id AND key = achievement_key
          OFFSET 0
          FOR KEY SHARE
        ) AS definition
      ), inserted AS (
        INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key)
        SELECT DISTINCT game_id, environment, player_id, achievement_key
        FROM defined
        ORDER BY game_id, environment, player_id, achievement_key
        ON CONFLICT DO NOTHING
        RETURNING game_id, environment, player_id, achievement_key
      ), ${postUnlocks}gained AS (SELECT FROM inserted)
      SELECT number - 1 AS index FROM defined`);
    const given = rewards.map(() => false);
    for (const { index } of rows) given[index] = true;
    return given;
  },
  /** Finds those of these keys that name no achievement of the game. */
  async listUnknown(tx: Queryable, game_id: string, keys: readonly string[]): Promise<string[]> {
    const known = await tx.query<{ key: string }>(sql`
      SELECT key FROM achievements WHERE game_id = ${game_id} AND key = ANY(${[...keys]}::text[])`);
    return keys.filter((key) => !known.some((each) => each.key === key));
  },
};
