import { createGroupBatcher } from '../../../platform/batch/batcher.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { StorageGuard } from '../../../platform/limits/storage-guard.ts';
import type { NamedPlayer } from '../../../platform/players/player-key.ts';
import { insertExposures } from './exposure-store.ts';
import type { Exposure } from './exposure-store.ts';

/**
 * The maximum number of players whose exposures may wait to
 * be written. The exposures of further players are dropped.
 */
const MAX_WAITING = 5_000;

/**
 * Makes the writer of exposures. An exposure is written in a batch, after the answer that gave the player a
 * variant. It waits only milliseconds, or until the batch before it is written. An exposure of a new player is
 * dropped if the game may have no more players, or no more from this network, and any exposure if the database
 * is down. The next answer to the player makes the
 * exposure again.
 */
export function createExposureWriter(hot: GroupedDatabase, storage: StorageGuard) {
  const batcher = createGroupBatcher<Exposure, undefined>(hot, {
    name: 'exposures',
    max_batch_size: 500,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    async flush(database, exposures) {
      await insertExposures(database, exposures);
      return exposures.map(() => undefined);
    },
  });
  let waiting = 0;
  return {
    /** Stores the exposures of a player with the next batch. The caller does not wait. */
    note(player: NamedPlayer, exposures: readonly Exposure[]) {
      // If the game is at its limit of players, `storage.run` queries whether the player exists. No request
      // waits for this query.
      if (exposures.length === 0 || waiting >= MAX_WAITING) return;
      waiting++;
      storage
        .run(player, { players: 1 }, () => Promise.allSettled(exposures.map(batcher.submit)))
        .catch(() => undefined)
        .finally(() => waiting--);
    },
    close: () => batcher.close(),
  };
}

export type ExposureWriter = ReturnType<typeof createExposureWriter>;
