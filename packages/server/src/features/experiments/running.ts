import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExperimentCondition } from '@overworld/contract/remote-config/experiment-definition';
import { toDouble, writeExactly } from '../../platform/json/exact-json.ts';
import type { NamedPlayer } from '../../platform/players/player-key.ts';
import { traitsIn } from '../../platform/players/traits.ts';
import type { TraitNeeds } from '../../platform/players/traits.ts';
import { chooseVariant } from './assignment.ts';
import { readExactDefinition } from './definition.ts';
import { listVariants } from './exposures/exposure-store.ts';
import type { Exposure, Variants } from './exposures/exposure-store.ts';
import type { ExposureWriter } from './exposures/exposure-writer.ts';
import type { VariantReader } from './exposures/variant-reader.ts';
import type { StoredExperiment } from './store.ts';

interface RunningExperiment {
  id: string;
  name: string;
  share: number;
  condition: ExperimentCondition | null;
  variants: readonly {
    name: string;
    weight: number;
    /**
     * The members that this variant adds to the answer's `config`: the JSON of each member, by its key. An
     * example is `"daily_reward":200`.
     */
    members: ReadonlyMap<string, string>;
  }[];
}

export function createRunningExperiments(
  experiments: readonly RunningExperiment[],
  reader: VariantReader,
  exposures: ExposureWriter,
) {
  return {
    count: experiments.length,
    /** The traits that the conditions of the experiments use; null if there are no conditions. */
    needs: findNeeds(experiments.flatMap(({ condition }) => condition ?? [])),
    /** Finds the experiment in which a variant has a value for the parameter; null when there is none. */
    findWith(parameter: string): { id: string; name: string } | null {
      const found = experiments.find(({ variants }) =>
        variants.some(({ members }) => members.has(parameter)),
      );
      return found === undefined ? null : { id: found.id, name: found.name };
    },
    /** Reads the variants that a player got in earlier answers, by experiment. */
    readVariants: reader.submit,
    listVariants,
    /**
     * Chooses the player's variant in each experiment. Returns the values of these variants with a name for
     * this set of values, the list of the variants, and a function that records an exposure for each variant
     * that is new. A player keeps a variant even if the condition of the experiment no longer holds.
     */
    choose(
      player: NamedPlayer,
      known: Variants,
      holds: (condition: ExperimentCondition) => boolean,
    ) {
      let name = '';
      const chosen = new Map<string, string>();
      const found: Exposure[] = [];
      const got: { experiment: RunningExperiment; variant: number }[] = [];
      for (const experiment of experiments) {
        const { id: experiment_id, condition, variants } = experiment;
        let variant = known.get(experiment_id) ?? null;
        if (variant === null && (condition === null || holds(condition))) {
          variant = chooseVariant(experiment, player.player_id);
          if (variant !== null) found.push({ ...player, experiment_id, variant });
        }
        if (variant === null) continue;
        got.push({ experiment, variant });
        const { members } = variants[variant]!;
        // The control variant has no members.
        if (members.size === 0) continue;
        name += ` ${experiment_id} ${variant}`;
        for (const [key, member] of members) chosen.set(key, member);
      }
      return {
        replaced: { name, members: chosen },
        list: () => got.map(({ experiment, variant }) => describeVariant(experiment, variant)),
        record: () => exposures.note(player, found),
      };
    },
  };
}

function describeVariant({ id, name, variants }: RunningExperiment, index: number) {
  const { name: variant_name, members } = variants[index]!;
  return { experiment_id: id, experiment_name: name, variant_name, keys: [...members.keys()] };
}

/** The running experiments of an environment. */
export type RunningExperiments = ReturnType<typeof createRunningExperiments>;

/**
 * The maximum number of definitions that are cached in parsed form. The text of a definition has at most 64
 * KB.
 */
const MAX_PARSED = 1_000;

/**
 * Makes the function that parses the definitions of experiments. A definition is
 * fixed while its experiment runs, so it is parsed once. Parsing a large definition
 * takes 15 ms, so the function lets other requests run between two definitions.
 */
export function createDefinitionReader(): (
  stored: readonly StoredExperiment[],
) => Promise<RunningExperiment[]> {
  const parsed = new Map<string, Omit<RunningExperiment, 'name' | 'share'>>();
  const read = async ({ id, definition }: StoredExperiment) => {
    let known = parsed.get(id);
    if (known === undefined) {
      await nextTurn();
      known = { id, ...parse(definition) };
      if (parsed.size >= MAX_PARSED) parsed.delete(parsed.keys().next().value!);
      parsed.set(id, known);
    }
    return known;
  };
  return async (stored) => {
    const experiments: RunningExperiment[] = [];
    for (const each of stored) {
      experiments.push({ ...(await read(each)), name: each.name, share: each.share });
    }
    return experiments;
  };
}

function parse(definition: string): Pick<RunningExperiment, 'condition' | 'variants'> {
  const { condition, variants } = readExactDefinition(definition);
  return {
    condition,
    variants: variants.map(({ name, weight, values = {} }) => ({
      name,
      weight: toDouble(weight),
      members: new Map(
        Object.entries(values).map(([key, value]) => [
          key,
          `${JSON.stringify(key)}:${writeExactly(value)}`,
        ]),
      ),
    })),
  };
}

function findNeeds(conditions: readonly ExperimentCondition[]): TraitNeeds | null {
  if (conditions.length === 0) return null;
  return traitsIn(conditions.flatMap(({ properties = [] }) => properties));
}
