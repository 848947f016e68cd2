import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Queryable } from '../../../platform/database/database.ts';
import { listDefinedAchievements } from '../definition-store.ts';
import { countEarners, insertGrant, isGranting, restartGrant } from './grant-store.ts';

/**
 * Begins grants of the achievements whose rules are about statistics that were counted from the stored events, in
 * the transaction of the count: no event of the past comes again, so nothing else would judge the new values of
 * players who do not play on. An achievement whose grant is being undone is left out.
 */
export async function grantCounted(
  tx: Queryable,
  game_id: string,
  stats: readonly string[],
): Promise<void> {
  if (stats.length === 0) return;
  for (const achievement of await listDefinedAchievements(tx, game_id)) {
    const { key: achievement_key, unlock_when: rule, archived } = achievement;
    if (archived || !rule.some(({ stat }) => stats.includes(stat))) continue;
    for (const environment of ENVIRONMENTS) {
      const earning = { game_id, environment, achievement_key, rule };
      await restartGrant(tx, earning);
      if (await isGranting(tx, earning)) continue;
      const player_count = await countEarners(tx, earning);
      if (player_count > 0) await insertGrant(tx, earning, player_count);
    }
  }
}
