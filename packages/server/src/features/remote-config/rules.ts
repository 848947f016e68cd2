import { hash } from 'node:crypto';
import { normalizeTag } from '@overworld/contract/players/tags';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import type { ConfigCondition } from '@overworld/contract/remote-config/dashboard';
import { toDouble } from '../../platform/json/exact-json.ts';
import type { Traits } from '../../platform/players/traits.ts';
import type { PlayerCondition } from '../../platform/property-conditions.ts';
import { holds } from '../../platform/property-test.ts';

/**
 * Finds the first condition of a rule that does not hold for the player. Returns null when the rule matches.
 * @param rule A rule as `parseExactly` reads it.
 * @param key The key of the parameter. It serves as the salt of percentages without a salt of their own.
 */
export function findUnmatched(
  rule: ConfigRule,
  key: string,
  traits: Traits | null,
): ConfigCondition | null {
  if (traits === null) return 'player';
  const has = (tag: string) => traits.tags.has(normalizeTag(tag));
  if (rule.has_tags && !rule.has_tags.every(has)) return 'has_tags';
  if (rule.lacks_tags?.some(has)) return 'lacks_tags';
  if (rule.properties && !rule.properties.every((condition) => meets(condition, traits))) {
    return 'properties';
  }
  if (rule.percentage !== undefined) {
    const { player_id } = traits;
    if (player_id === null || locate(rule.salt ?? key, player_id) >= toDouble(rule.percentage)) {
      return 'percentage';
    }
  }
  return null;
}

/**
 * Returns a player's place among all players, from 0 to below 100, computed
 * from the first 48 bits of a SHA-256. The place depends only on the salt
 * and the id, so a rule keeps its players when its percentage is raised.
 */
export function locate(salt: string, player_id: string): number {
  const digest = hash('sha256', `${salt}\0${player_id}`, 'buffer');
  return (digest.readUIntBE(0, 6) / 2 ** 48) * 100;
}

function meets(condition: PlayerCondition, { properties, stats }: Traits): boolean {
  const [known, name] =
    'stat' in condition ? [stats, condition.stat] : [properties, condition.property];
  return holds(condition, Object.hasOwn(known, name) ? known[name] : undefined);
}
