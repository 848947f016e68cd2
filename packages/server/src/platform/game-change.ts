import type { AuditAction } from '@overworld/contract/games/audit-actions';
import { insertAuditEntry } from './audit.ts';
import type { Actor } from './audit.ts';
import type { KeyDirectory } from './auth/api-keys.ts';
import type { Database, Queryable } from './database/database.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { lockGame } from './game-lock.ts';

/** A game and the member who changes it. */
export interface GameChange {
  game_id: string;
  actor: Actor;
}

/** Makes the change. `record` writes an entry about the change to the audit log; see `insertAuditEntry`. */
export type Work<T> = (tx: Queryable, record: RecordChange) => Promise<T>;

export type RecordChange = (
  action: AuditAction,
  target: string,
  details?: Record<string, unknown>,
) => Promise<void>;

/**
 * Makes a change to a game in one transaction. Changes to one game wait for each other.
 * @throws ApiError 404 when the game is gone, or the error of `work`; then nothing is changed.
 */
export const changeGame = <T>(database: Database, change: GameChange, work: Work<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await lockGame(tx, change.game_id);
    return work(tx, (...entry) => insertAuditEntry(tx, change, ...entry));
  });

/**
 * Makes a change to a game's definitions, like `changeGame`. After the commit every server loads the
 * definitions again.
 * @param change The game, the author, and the key of the definitions in the cache: by default the game's id.
 */
export async function changeDefinitions<T>(
  database: Database,
  cache: Pick<DefinitionCache<unknown>, 'invalidateOnCommit' | 'evict'>,
  { key: given, ...change }: GameChange & { key?: string },
  work: Work<T>,
): Promise<T> {
  const key = given ?? change.game_id;
  const result = await changeGame(database, change, async (tx, record) => {
    const changed = await work(tx, record);
    await cache.invalidateOnCommit(tx, key);
    return changed;
  });
  cache.evict(key);
  return result;
}

/**
 * Makes a change, like `changeGame`, to settings that servers cache together with the keys of the game. The
 * change takes effect on every server immediately.
 */
export async function changeKeySettings<T>(
  database: Database,
  keys: Pick<KeyDirectory, 'invalidateGameOnCommit'>,
  change: GameChange,
  work: Work<T>,
): Promise<T> {
  const { result, evictKeys } = await changeGame(database, change, async (tx, record) => ({
    result: await work(tx, record),
    evictKeys: await keys.invalidateGameOnCommit(tx, change.game_id),
  }));
  evictKeys();
  return result;
}
