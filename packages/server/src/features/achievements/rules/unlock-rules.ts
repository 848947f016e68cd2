import type { UnlockCondition } from '@overworld/contract/achievements/rules';

/** The rule of an achievement: conditions, all of which must be met. An empty one is no rule. */
export type UnlockRule = UnlockCondition[];

/** The values of a player's statistics by their keys. */
export type StatValues = ReadonlyMap<string, number>;

/** How far a player is. */
interface Progress {
  current: number;
  target: number;
}

/** Tells whether a player meets a rule. Without a value, a player meets no condition. */
export const isEarned = (rule: UnlockRule, values: StatValues): boolean =>
  rule.length > 0 &&
  rule.every(({ stat, at_least }) => (values.get(stat) ?? -Infinity) >= at_least);

/** Finds the condition that is farthest from being met; null without a rule. */
export function progressOf(rule: UnlockRule, values: StatValues): Progress | null {
  let farthest: Progress | null = null;
  for (const { stat, at_least: target } of rule) {
    const current = values.get(stat) ?? 0;
    if (farthest === null || current / target < farthest.current / farthest.target) {
      farthest = { current, target };
    }
  }
  return farthest;
}
