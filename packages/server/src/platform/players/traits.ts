import type { PlayerCondition } from '../property-conditions.ts';

/** The traits of a player by which conditions are judged. */
export interface Traits {
  /** If the id is null, no rule with a percentage matches. */
  player_id: string | null;
  tags: ReadonlySet<string>;
  /** As `parseExactly` reads them. */
  properties: Readonly<Record<string, unknown>>;
  /** The values of statistics by their keys, as `parseExactly` reads them. */
  stats: Readonly<Record<string, unknown>>;
}

/** The traits at which conditions look, besides tags. */
export interface TraitNeeds {
  property_names: string[];
  /** Keys of statistics. If there are none, no statistic is read. */
  stat_keys: string[];
}

/** Finds the properties and the statistics at which conditions look. */
export function traitsIn(conditions: readonly PlayerCondition[]): TraitNeeds {
  const property_names = new Set<string>();
  const stat_keys = new Set<string>();
  for (const condition of conditions) {
    if ('stat' in condition) stat_keys.add(condition.stat);
    else property_names.add(condition.property);
  }
  return { property_names: [...property_names], stat_keys: [...stat_keys] };
}
