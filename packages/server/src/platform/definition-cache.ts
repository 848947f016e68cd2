import type { Database, Queryable } from './database/database.ts';
import type { GroupedDatabase } from './database/game-groups.ts';
import { notify } from './database/notifications.ts';
import type { Notifications } from './database/notifications.ts';

/**
 * A cache of values that are read often and change rarely. It stays correct when another server changes a
 * value.
 */
export interface DefinitionCache<Value> {
  /** Gives the value for a key, from memory or by a load. Concurrent callers for one key share one load. */
  get(key: string): Promise<Value>;
  /** Gives the value only if it is in memory, for hot paths that should not wait. */
  peek(key: string): Value | undefined;
  /** To be called in the transaction that changes the data behind the value. */
  invalidateOnCommit(tx: Queryable, key: string): Promise<void>;
  /**
   * To be called after that transaction, so that this server loads the new value without waiting for the
   * notification.
   */
  evict(key: string): void;
}

/** A value, and the generation of its key when its load began. */
interface Kept<Value> {
  value: Value;
  generation: number;
}

interface CacheOptions<Value> {
  channel: string;
  notifications: Notifications;
  max_entries: number;
  load: (key: string) => Promise<Value>;
  /** Tells whether a loaded value is cached; by default every value is. */
  keep?: (value: Value) => boolean;
}

interface GameCacheOptions<Value> extends Omit<CacheOptions<Value>, 'load'> {
  /** Gets the database of the game. */
  load: (database: Database, key: string) => Promise<Value>;
}

/** Caches definitions of games. Each key is the id of a game, or the text that `nameOfTenant` writes. */
export const createGameDefinitionCache = <Value>(
  database: GroupedDatabase,
  { load, ...options }: GameCacheOptions<Value>,
): DefinitionCache<Value> =>
  createDefinitionCache<Value>({
    ...options,
    load: (key) => load(database.ofGame(key.split(' ', 1)[0]!), key),
  });

/**
 * Caches the values that `load` returns, until a notification on `channel` evicts their keys. While the
 * LISTEN connection is down nothing is cached, so no server uses a value that another server has changed.
 */
export function createDefinitionCache<Value>(options: CacheOptions<Value>): DefinitionCache<Value> {
  const { evictions } = options.notifications;
  const values = new Map<string, Kept<Value>>();
  const loading = new Map<string, Kept<Promise<Value>>>();
  let connected = false;

  /** Returns a number that changes when another worker of this server evicts the key. */
  const generationOf = (key: string) =>
    evictions === null ? 0 : evictions.generationOf(`${options.channel} ${key}`);
  const find = <T>(kept: Map<string, Kept<T>>, key: string): T | undefined => {
    const found = kept.get(key);
    if (found === undefined || found.generation === generationOf(key)) return found?.value;
    kept.delete(key);
    return undefined;
  };

  const forget = (key: string) => {
    values.delete(key);
    // A load under way may have read the old state: its callers still get the value, but the value is not
    // cached.
    loading.delete(key);
  };
  const evictAll = () => {
    values.clear();
    loading.clear();
  };

  options.notifications.listen(options.channel, {
    onNotification: forget,
    onDisconnected: () => {
      connected = false;
      evictAll();
    },
    onConnected: () => {
      evictAll();
      connected = true;
    },
  });

  const load = (key: string): Promise<Value> => {
    const generation = generationOf(key);
    const promise: Promise<Value> = options.load(key).then(
      (value) => {
        if (loading.get(key)?.value === promise) {
          loading.delete(key);
          if (connected && (options.keep?.(value) ?? true)) {
            if (values.size >= options.max_entries) values.delete(values.keys().next().value!);
            values.set(key, { value, generation });
          }
        }
        return value;
      },
      (error: unknown) => {
        if (loading.get(key)?.value === promise) loading.delete(key);
        throw error;
      },
    );
    loading.set(key, { value: promise, generation });
    return promise;
  };

  return {
    async get(key) {
      const value = find(values, key);
      if (value !== undefined) return value;
      return find(loading, key) ?? load(key);
    },
    peek: (key) => find(values, key),
    invalidateOnCommit: (tx, key) => notify(tx, options.channel, key),
    evict(key) {
      forget(key);
      evictions?.evict(`${options.channel} ${key}`);
    },
  };
}
