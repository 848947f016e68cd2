import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { UnlockRule } from './unlock-rules.ts';

/** An achievement of an environment, and a rule by which players earn it. */
export interface Earning extends Tenant {
  achievement_key: string;
  rule: UnlockRule;
}

/**
 * SQL after FROM: the rows of `player_stats` of the first condition, as `earned`, of the players who meet a rule
 * and do not have the achievement.
 */
export function earnersOf({ achievement_key, rule, ...tenant }: Earning): Sql {
  const [first, ...others] = rule;
  const conditions = others.map(
    ({ stat, at_least }) => sql` AND EXISTS (
      SELECT FROM player_stats AS other
      WHERE other.game_id = earned.game_id AND other.environment = earned.environment
        AND other.player_id = earned.player_id AND other.key = ${stat}
        AND other.value >= ${at_least}::numeric)`,
  );
  return sql`player_stats AS earned
    WHERE ${isOfTenant(tenant)} AND key = ${first!.stat} AND value >= ${first!.at_least}::numeric
    ${conditions.reduce((all, condition) => sql`${all}${condition}`, sql``)}
    AND NOT EXISTS (
      SELECT FROM achievement_unlocks AS had
      WHERE had.game_id = earned.game_id AND had.environment = earned.environment
        AND had.player_id = earned.player_id AND had.achievement_key = ${achievement_key})`;
}
