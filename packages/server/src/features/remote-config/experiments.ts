import type { ExperimentCondition } from '@overworld/contract/remote-config/experiment-definition';
import type { Database } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { Config, ConfigAnswer, ReplacedValues } from './config.ts';
import { findUnmatched } from './rules.ts';
import { getTraits } from './store.ts';

/** The running experiments of an environment. */
interface PlayerExperiments {
  readonly count: number;
  /** The traits that the conditions of the experiments look at; null when there are none. */
  readonly needs: Config['needs'];
  /** Loads the variants that the player got in earlier answers. The keys are the ids of the experiments. */
  readVariants(player: PlayerKey): Promise<ReadonlyMap<string, number>>;
  /**
   * Returns the values of the player's variants, and records each variant that the player gets for the first
   * time.
   */
  choose(
    player: PlayerKey,
    variants: ReadonlyMap<string, number>,
    holds: (condition: ExperimentCondition) => boolean,
  ): ReplacedValues;
}

/** The running experiments of each environment. The keys are the names of the environments' configs. */
export type ConfigExperiments = Pick<DefinitionCache<PlayerExperiments>, 'peek' | 'get'>;

/** Makes the answer to a player, or to a client that names no player. */
export async function answerPlayer(
  hot: Database,
  config: Config,
  experiments: PlayerExperiments,
  player: PlayerKey | null,
): Promise<ConfigAnswer> {
  if (player === null) return config.answer(null);
  if (experiments.count === 0) return config.answer(await getTraits(hot, player, config.needs));
  const [traits, variants] = await Promise.all([
    getTraits(hot, player, joinNeeds(config.needs, experiments.needs)),
    experiments.readVariants(player),
  ]);
  const holds = (condition: ExperimentCondition) =>
    findUnmatched({ ...condition, value: null }, '', traits) === null;
  return config.answer(traits, experiments.choose(player, variants, holds));
}

function joinNeeds(first: Config['needs'], second: Config['needs']): Config['needs'] {
  if (first === null || second === null) return first ?? second;
  const names = [...first.property_names, ...second.property_names];
  return { property_names: [...new Set(names)] };
}
