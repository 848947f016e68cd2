import type { Environment } from '../common.ts';
import type { DefinitionKindName } from './kinds.ts';

/** A definition beside its kind and its key. */
interface Keyed {
  kind: string;
  key: string;
}

/**
 * How the key of a definition names its environment: `whole` if the key is the environment; `start` if a name comes
 * after it, as in `production/Players stay away`; null if both environments share the definitions of the kind, or if
 * they are not copied, because they are chosen for each environment, such as its login providers.
 */
const ENVIRONMENT_IN_KEY: Readonly<Record<DefinitionKindName, 'whole' | 'start' | null>> = {
  stat: null,
  achievement: null,
  leaderboard: null,
  event_schema: null,
  metric: null,
  remote_config: 'whole',
  experiment: 'start',
  segment: null,
  saved_report: null,
  dashboard: null,
  player_verification: null,
  shares: null,
  revenue_settings: null,
  game_settings: null,
  webhook: null,
  login_provider: null,
  alert: 'start',
};

/** The kinds of which each environment has definitions of its own that can be copied. */
export const ENVIRONMENT_KINDS = [
  'remote_config',
  'experiment',
  'alert',
] as const satisfies DefinitionKindName[];

/**
 * Makes the definitions of one environment those of another one. Leaves out all others.
 * @param kinds The kinds to copy; null copies all.
 */
export const copyToEnvironment = <D extends Keyed>(
  definitions: readonly D[],
  from: Environment,
  to: Environment,
  kinds: readonly string[] | null,
): D[] =>
  definitions.flatMap((it) => {
    const key = kinds?.includes(it.kind) === false ? null : keyIn(it, from, to);
    return key === null ? [] : [{ ...it, key }];
  });

/** @returns the key in another environment; null if the definition does not belong to the first one. */
function keyIn({ kind, key }: Keyed, from: Environment, to: Environment): string | null {
  const place = ENVIRONMENT_IN_KEY[kind as DefinitionKindName];
  if (place === 'whole') return key === from ? to : null;
  return place === 'start' && key.startsWith(`${from}/`) ? to + key.slice(from.length) : null;
}
