import { createGameDefinitionCache } from '../../platform/definition-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import { readTenant } from '../../platform/players/player-key.ts';
import { exposureSource } from './exposures/exposure-store.ts';
import { createExposureWriter } from './exposures/exposure-writer.ts';
import { createVariantReader } from './exposures/variant-reader.ts';
import { createDefinitionReader, createRunningExperiments } from './running.ts';
import { listRunning } from './store.ts';
import { requireSameCurrency } from './revenue.ts';
import { listRunningParameters } from './rules.ts';

/** On this channel a server tells the others that the experiments of an environment have changed. */
const CHANNEL = 'overworld_experiments';

/**
 * Makes what other features need from experiments: the running experiments, for the config of a player, and
 * the exposures.
 */
export function createExperiments({
  hot,
  notifications,
  storage,
}: Pick<Platform, 'hot' | 'notifications' | 'storage'>) {
  const exposures = createExposureWriter(hot, storage);
  const variants = createVariantReader(hot);
  const readDefinitions = createDefinitionReader();
  const running = createGameDefinitionCache(hot, {
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    async load(database, name) {
      const stored = await listRunning(database, readTenant(name));
      return createRunningExperiments(await readDefinitions(stored), variants, exposures);
    },
  });
  return {
    /** The running experiments of each environment, by game and environment. */
    running,
    /** Lists the parameters that running experiments hold, which no change of a config may touch. */
    listRunningParameters,
    requireSameCurrency,
    /** The exposures of players. */
    source: exposureSource,
    /** Writes the exposures that are not stored yet, and stops. */
    async close() {
      await variants.close();
      await exposures.close();
    },
  };
}
