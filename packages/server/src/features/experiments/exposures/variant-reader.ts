import { createGroupBatcher } from '../../../platform/batch/batcher.ts';
import type { GroupBatcher } from '../../../platform/batch/batcher.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { listVariants } from './exposure-store.ts';
import type { Variants } from './exposure-store.ts';

/** A reader of a player's variant in each experiment, including experiments that have ended. */
export type VariantReader = GroupBatcher<PlayerKey, Variants>;

/** Makes the reader. Concurrent requests share one look-up, which begins after the last of these requests. */
export function createVariantReader(hot: GroupedDatabase): VariantReader {
  return createGroupBatcher(hot, {
    name: 'variant look-ups',
    max_batch_size: 100,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    flush: listVariants,
  });
}
