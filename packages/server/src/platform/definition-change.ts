import type { Database, Queryable } from './database/database.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { lockGame } from './game-lock.ts';

/**
 * Makes a change to a game's definitions in one transaction: changes to one game wait for each
 * other, and after the commit every node reads anew what it keeps of them.
 * @param kept Of which game, and under which key of the cache the definitions are kept.
 * @throws ApiError 404 when the game is gone, and what `work` throws; nothing is changed then.
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
