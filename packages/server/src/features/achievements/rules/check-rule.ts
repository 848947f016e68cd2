import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Queryable } from '../../../platform/database/database.ts';
import { badRequest } from '../../../platform/errors.ts';
import { shorten } from '../../../platform/json/json-text.ts';
import type { UnlockRule } from './unlock-rules.ts';

/** Lists how the statistics of a game join, by their keys, without archived ones. */
export type ListAggregations = (
  database: Queryable,
  game_id: string,
) => Promise<ReadonlyMap<string, Aggregation>>;

/**
 * Checks that the statistics of a rule exist, and can grow.
 * @throws ApiError 400 that names the condition.
 */
export async function requireSoundRule(
  tx: Queryable,
  game_id: string,
  rule: UnlockRule | undefined,
  listAggregations: ListAggregations,
): Promise<void> {
  if (rule === undefined || rule.length === 0) return;
  const aggregations = await listAggregations(tx, game_id);
  const named = new Set<string>();
  for (const [index, { stat }] of rule.entries()) {
    const field = `unlock_when[${index}].stat`;
    const aggregation = aggregations.get(stat);
    if (aggregation === undefined) {
      throw badRequest(`${field}: the game has no statistic "${shorten(stat)}"`);
    }
    if (aggregation === 'min') {
      throw badRequest(`${field}: ${shorten(stat)} keeps the least value, so it cannot grow`);
    }
    if (named.has(stat)) throw badRequest(`${field}: ${shorten(stat)} is named twice`);
    named.add(stat);
  }
}
