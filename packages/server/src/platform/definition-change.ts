import type { Database, Queryable } from './database/database.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { lockGame } from './game-lock.ts';

/**
 * Makes a change to a game's definitions in one transaction. Changes to one game wait for each other,
 * and after the commit every server reads the definitions again.
 * @param kept The game, and the key of its definitions in the cache.
 * @throws ApiError 404 when the game is gone, or the error of `work`; then nothing is changed.
 */
export async function changeDefinitions<T>(
  database: Database,
  cache: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
  kept: { game_id: string; key: string },
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const result = await database.transaction(async (tx) => {
    await lockGame(tx, kept.game_id);
    const changed = await work(tx);
    await cache.invalidateOnCommit(tx, kept.key);
    return changed;
  });
  cache.evict(kept.key);
  return result;
}
