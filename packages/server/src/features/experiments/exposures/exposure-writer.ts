import { createBatcher } from '../../../platform/batch/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { StorageGuard } from '../../../platform/limits/storage-guard.ts';
import { insertExposures } from './exposure-store.ts';
import type { Exposure } from './exposure-store.ts';

export interface ExposureWriter {
  /** Stores an exposure with the next batch. The caller waits for nothing. */
  note(exposure: Exposure): void;
  close(): Promise<void>;
}

/**
 * Writes exposures in batches behind the answers that made them: within milliseconds, or with the
 * batch after the one under way. One that cannot be written, because the game has as many players as
 * it may have or the database is away, is dropped: the player's next answer makes it again.
 */
export function createExposureWriter(database: Database, storage: StorageGuard): ExposureWriter {
  const batcher = createBatcher<Exposure, undefined>({
    name: 'exposures',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    async flush(exposures) {
      await insertExposures(database, exposures);
      return exposures.map(() => undefined);
    },
  });
  return {
    note(exposure) {
      storage.run(exposure, { players: 1 }, () => batcher.submit(exposure)).catch(() => undefined);
    },
    close: () => batcher.close(),
  };
}
