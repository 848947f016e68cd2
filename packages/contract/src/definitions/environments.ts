import type { Environment } from '../common.ts';
import type { DefinitionKindName } from './kinds.ts';

/** A definition beside its kind and its key. */
interface Keyed {
  kind: string;
  key: string;
}

/**
 * Where a definition names its environment: `key` if each environment has one definition of the kind, whose key
 * is the environment; null if both environments share the definitions of the kind.
 */
const ENVIRONMENT_IN: Readonly<Record<DefinitionKindName, 'key' | null>> = {
  achievement: null,
  leaderboard: null,
  event_schema: null,
  remote_config: 'key',
  segment: null,
};

/** Tells whether a definition belongs to this environment alone. */
const belongsTo = ({ kind, key }: Keyed, environment: Environment): boolean =>
  ENVIRONMENT_IN[kind as DefinitionKindName] === 'key' && key === environment;

/** Makes the definitions of one environment those of another one. Leaves out all others. */
export const copyToEnvironment = <D extends Keyed>(
  definitions: readonly D[],
  from: Environment,
  to: Environment,
): D[] => definitions.filter((it) => belongsTo(it, from)).map((it) => ({ ...it, key: to }));
