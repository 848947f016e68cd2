import type { ConfigParameter } from '@overworld/contract/remote-config/config';

/** Returns the parts of a parameter that decide about the values of players; null if it does not exist. */
export function decisiveOf(parameters: Readonly<Record<string, ConfigParameter>>, name: string) {
  if (!Object.hasOwn(parameters, name)) return null;
  const { value, rules = [] } = parameters[name]!;
  return { value, rules };
}
