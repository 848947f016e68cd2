import type { AskEffects } from '../../../platform/definitions/definition-kind.ts';
import type { EarnedInput } from './earned-effect.ts';
import type { UnlockRule } from './unlock-rules.ts';

const MODULE = new URL('./earned-effect.ts', import.meta.url).href;

/** Asks which players have earned an achievement by its rule already, and do not have it. */
export const askEarned: AskEffects = async ({ game_id, tried_in }, { key, after }) => {
  const rule = (after?.unlock_when ?? []) as UnlockRule;
  if (tried_in === null || rule.length === 0) return [];
  const input: EarnedInput = { game_id, environment: tried_in, achievement_key: key, rule };
  const words = 'the players who have earned it already';
  const uncounted = { about: 'players' as const, environment: tried_in, part: null, words };
  return [{ module: MODULE, input, uncounted }];
};
