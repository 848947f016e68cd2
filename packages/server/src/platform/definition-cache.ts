import type { Queryable } from './database/database.ts';
import { notify } from './database/notifications.ts';
import type { Notifications } from './database/notifications.ts';

/** Values read often and changed rarely, kept in memory and correct on every node. */
export interface DefinitionCache<Value> {
  /** The value for a key, from memory or loaded. Concurrent loads of one key share one query. */
  get(key: string): Promise<Value>;
  /** The value if it is in memory: lets a hot path go on without waiting. */
  peek(key: string): Value | undefined;
  /** Call in the transaction that changes what the value is made from. */
  invalidateOnCommit(tx: Queryable, key: string): Promise<void>;
  /** Call after that transaction has committed, so that this node answers anew at once. */
  evict(key: string): void;
}

/**
 * Caches what `load` answers, per key, until a notification on `channel` evicts it. While the
 * LISTEN connection is down nothing is kept, so that no node serves what another has changed.
 */
export function createDefinitionCache<Value>(options: {
  channel: string;
  notifications: Notifications;
  max_entries: number;
  load: (key: string) => Promise<Value>;
  /** Which loaded values are kept; all when not given. */
  keep?: (value: Value) => boolean;
}): DefinitionCache<Value> {
  const values = new Map<string, Value>();
  const loading = new Map<string, Promise<Value>>();
  let connected = false;

  const evict = (key: string) => {
    values.delete(key);
    // A load under way may have read the old state: it answers its callers, but is not kept.
    loading.delete(key);
  };
  const evictAll = () => {
    values.clear();
    loading.clear();
  };

  options.notifications.listen(options.channel, {
    onNotification: evict,
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
    const promise: Promise<Value> = options.load(key).then(
      (value) => {
        if (loading.get(key) === promise) {
          loading.delete(key);
          if (connected && (options.keep?.(value) ?? true)) {
            if (values.size >= options.max_entries) values.delete(values.keys().next().value!);
            values.set(key, value);
          }
        }
        return value;
      },
      (error: unknown) => {
        if (loading.get(key) === promise) loading.delete(key);
        throw error;
      },
    );
    loading.set(key, promise);
    return promise;
  };

  return {
    async get(key) {
      const value = values.get(key);
      if (value !== undefined) return value;
      return loading.get(key) ?? load(key);
    },
    peek: (key) => values.get(key),
    invalidateOnCommit: (tx, key) => notify(tx, options.channel, key),
    evict,
  };
}
