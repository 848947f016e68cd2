import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { UsedThing } from '../../../platform/definition-uses.ts';

/** Lists the boards whose seasons end with a change of a statistic. */
export async function listSeasonRewardUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  if (things.every(({ kind }) => kind !== 'stat')) return things.map(() => []);
  const boards = await tx.query<{ board_name: string; season_rewards: SeasonReward[] }>(sql`
    SELECT board_name, season_rewards FROM leaderboards
    WHERE game_id = ${game_id} AND json_array_length(season_rewards) > 0
    ORDER BY board_name`);
  return things.map((thing) =>
    boards.flatMap(({ board_name, season_rewards }) =>
      thing.kind === 'stat' &&
      season_rewards.some(({ rewards }) =>
        rewards.some(({ type, key }) => type === 'stat' && key === thing.key),
      )
        ? [`the leaderboard "${board_name}"`]
        : [],
    ),
  );
}
