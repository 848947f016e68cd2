import { createBatcher } from '../../../platform/batch/batcher.ts';
import type { Batcher } from '../../../platform/batch/batcher.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { listVariants } from './exposure-store.ts';
import type { Variants } from './exposure-store.ts';

/** Reads the variants that a player has by experiment, also of experiments that have ended. */
export type VariantReader = Batcher<PlayerKey, Variants>;

/** Reads the variants of concurrent requests by one look-up, which begins after them all. */
export function createVariantReader(database: Database): VariantReader {
  return createBatcher({
    name: 'variant look-ups',
    max_batch_size: 100,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    flush: (players) => listVariants(database, players),
  });
}
