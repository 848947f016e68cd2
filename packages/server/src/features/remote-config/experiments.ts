import type { ExperimentCondition } from '@overworld/contract/remote-config/experiment-definition';
import type { Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { NamedPlayer, PlayerKey } from '../../platform/players/player-key.ts';
import type { Traits } from '../../platform/players/traits.ts';
import type { Config, ConfigAnswer, ReplacedValues } from './config.ts';
import { findUnmatched } from './rules.ts';

/** A running experiment in which a player takes part. */
export interface PlayerVariant {
  experiment_id: string;
  experiment_name: string;
  variant_name: string;
  /** Keys of the parameters whose values the variant replaces. The control has none. */
  keys: string[];
}

/** The variants of a player in all running experiments. */
interface ChosenVariants {
  /** The values of these variants. */
  replaced: ReplacedValues;
  /** Lists the variants. */
  list(): PlayerVariant[];
  /** Records each variant that the player gets for the first time. */
  record(): void;
}

/** The index of the player's variant by the id of the experiment. */
type GotVariants = ReadonlyMap<string, number>;

/** The running experiments of an environment. */
export interface PlayerExperiments {
  readonly count: number;
  /** The traits that the conditions of the experiments look at; null when there are none. */
  readonly needs: Config['needs'];
  /** Finds the running experiment that has a parameter; null when there is none. */
  findWith(parameter: string): { id: string; name: string } | null;
  /** Loads the variants that the player got in earlier answers. The keys are the ids of the experiments. */
  readVariants(player: PlayerKey): Promise<GotVariants>;
  /** Loads the same as `readVariants` for many players, in their order. */
  listVariants(database: Queryable, players: readonly PlayerKey[]): Promise<GotVariants[]>;
  /** Chooses the player's variants. Records nothing by itself. */
  choose(
    player: NamedPlayer,
    variants: GotVariants,
    holds: (condition: ExperimentCondition) => boolean,
  ): ChosenVariants;
}

/** The running experiments of each environment. The keys are the names of the environments' configs. */
export type ConfigExperiments = Pick<DefinitionCache<PlayerExperiments>, 'peek' | 'get'>;

/** Reads the traits of a player that `needs` names. Returns null for a client without a player. */
type ReadTraits = (needs: Config['needs']) => Promise<Traits | null>;

/** Makes the answer to a player, or to a client that names no player, and records new exposures. */
export async function answerPlayer(
  config: Config,
  experiments: PlayerExperiments,
  player: NamedPlayer | null,
  readTraits: ReadTraits,
): Promise<ConfigAnswer> {
  const { traits, chosen } = await choose(config, experiments, player, readTraits);
  chosen?.record();
  return config.answer(traits, chosen?.replaced);
}

/** Returns the values that `answerPlayer` would give, with their reasons. Records nothing. */
export async function previewPlayer(
  config: Config,
  experiments: PlayerExperiments,
  player: NamedPlayer | null,
  readTraits: ReadTraits,
) {
  const { traits, chosen } = await choose(config, experiments, player, readTraits);
  const decisions = config.decide(traits);
  return {
    values: config.writeValues(decisions, chosen?.replaced),
    decisions,
    experiments: chosen?.list() ?? [],
  };
}

async function choose(
  config: Config,
  experiments: PlayerExperiments,
  player: NamedPlayer | null,
  readTraits: ReadTraits,
): Promise<{ traits: Traits | null; chosen?: ChosenVariants }> {
  if (player === null || experiments.count === 0) return { traits: await readTraits(config.needs) };
  const [traits, variants] = await Promise.all([
    readTraits(joinNeeds(config.needs, experiments.needs)),
    experiments.readVariants(player),
  ]);
  return { traits, chosen: chooseVariants(experiments, player, traits, variants) };
}

/**
 * Chooses the player's variants by its traits, and by the variants that it got earlier. Records nothing by
 * itself.
 */
export const chooseVariants = (
  experiments: PlayerExperiments,
  player: PlayerKey,
  traits: Traits | null,
  variants: GotVariants,
): ChosenVariants =>
  experiments.choose(
    player,
    variants,
    (condition) => findUnmatched({ ...condition, value: null }, '', traits) === null,
  );

export function joinNeeds(first: Config['needs'], second: Config['needs']): Config['needs'] {
  if (first === null || second === null) return first ?? second;
  return {
    property_names: [...new Set([...first.property_names, ...second.property_names])],
    stat_keys: [...new Set([...first.stat_keys, ...second.stat_keys])],
  };
}
