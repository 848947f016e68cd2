import { createDefinitionCache } from '../../platform/definition-cache.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { createExposureSource } from './exposures/exposure-store.ts';
import { createExposureWriter } from './exposures/exposure-writer.ts';
import { createVariantReader } from './exposures/variant-reader.ts';
import { createDefinitionReader, createRunningExperiments } from './running.ts';
import type { RunningExperiments } from './running.ts';
import { listRunning, readCacheKey } from './store.ts';

/** The parts of experiments that answers to games need. */
interface Experiments {
  /** The running experiments of each environment, by game and environment. */
  running: DefinitionCache<RunningExperiments>;
  /** The exposures of players. */
  source: PlayerDataSource;
  /** Writes the exposures of all answers. */
  close(): Promise<void>;
}

/** On this channel servers tell each other in which environment experiments have changed. */
const CHANNEL = 'overworld_experiments';

export function createExperiments({
  hot,
  database,
  notifications,
  storage,
}: Pick<Platform, 'hot' | 'database' | 'notifications' | 'storage'>): Experiments {
  const exposures = createExposureWriter(hot, storage);
  const variants = createVariantReader(hot);
  const readDefinitions = createDefinitionReader();
  const running = createDefinitionCache({
    channel: CHANNEL,
    notifications,
    max_entries: 10_000,
    async load(name) {
      const tenant = readCacheKey(name);
      const stored = await listRunning(hot.ofGame(tenant.game_id), tenant);
      return createRunningExperiments(await readDefinitions(stored), variants, exposures);
    },
  });
  return {
    running,
    source: createExposureSource(database),
    async close() {
      await variants.close();
      await exposures.close();
    },
  };
}
