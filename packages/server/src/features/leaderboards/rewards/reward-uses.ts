import type { SeasonReward } from '@overworld/contract/leaderboards/reward-fields';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { UsedThing } from '../../../platform/definition-uses.ts';
import { createPauses } from '../../../platform/pauses.ts';

/** Lists the boards whose seasons give a statistic or an achievement. A season that has ended gives what still exists. */
export async function listRewardUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  const lists: string[][] = things.map(() => []);
  if (things.every(({ kind }) => kind !== 'stat' && kind !== 'achievement')) return lists;
  const boards = await tx.query<{ board_name: string; season_rewards: SeasonReward[] }>(sql`
    SELECT board_name, season_rewards FROM leaderboards
    WHERE game_id = ${game_id} AND json_array_length(season_rewards) > 0
    ORDER BY board_name`);
  const pause = createPauses();
  for (const { board_name, season_rewards } of boards) {
    await pause();
    const gifts = season_rewards.flatMap(({ rewards }) => rewards);
    for (const [index, thing] of things.entries()) {
      if (thing.kind !== 'stat' && thing.kind !== 'achievement') continue;
      if (gifts.some(({ type, key }) => type === thing.kind && key === thing.key)) {
        lists[index]!.push(`the rewards of the board "${board_name}"`);
      }
    }
  }
  return lists;
}
