import type { Queryable } from '../../../platform/database/database.ts';
import type { UsedThing } from '../../../platform/definition-uses.ts';
import { listDefinedAchievements } from '../definition-store.ts';

/** Lists the achievements whose rules are about a statistic, archived ones too. */
export async function listUnlockUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  if (things.every(({ kind }) => kind !== 'stat')) return things.map(() => []);
  const achievements = await listDefinedAchievements(tx, game_id);
  return things.map((thing) =>
    achievements.flatMap(({ name, unlock_when }) =>
      thing.kind === 'stat' && unlock_when.some(({ stat }) => stat === thing.key)
        ? [`the achievement "${name}"`]
        : [],
    ),
  );
}
