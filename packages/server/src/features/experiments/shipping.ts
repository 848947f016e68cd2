import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { MAX_RULES } from '@overworld/contract/remote-config/config';
import { conflict } from '../../platform/errors.ts';
import { readExactDefinition } from './definition.ts';
import type { StoredExperiment } from './store.ts';

/**
 * Gives parameters the values of a variant, for all players who could have got the variant. Without a
 * condition these are all players. The experiment ignored the rules of the parameters, so the rules are
 * removed.
 * @throws ApiError 409 when the config no longer has such a parameter, or has no room for another rule.
 */
export function shipValues(
  parameters: Record<string, ConfigParameter>,
  { name, definition }: StoredExperiment,
  variant: number,
): Record<string, ConfigParameter> {
  const { condition, variants } = readExactDefinition(definition);
  const changed = Object.entries(variants[variant]!.values ?? {}).map(([key, value]) => {
    if (!Object.hasOwn(parameters, key)) throw conflict(`The config has no parameter ${key}`);
    const { rules = [], ...parameter } = parameters[key]!;
    if (condition === null) return [key, { ...parameter, value }] as const;
    if (rules.length >= MAX_RULES) {
      throw conflict(`The parameter ${key} has ${MAX_RULES} rules already: remove one first`);
    }
    return [key, { ...parameter, rules: [{ name, ...condition, value }, ...rules] }] as const;
  });
  const shipped = new Map(changed);
  return Object.fromEntries(
    Object.entries(parameters).map(([key, parameter]) => [key, shipped.get(key) ?? parameter]),
  );
}
