import { platform } from '../http/platform.ts';
import type { OverworldStore } from '../options.ts';

interface DbEvents {
  addEventListener(type: string, listener: () => void): void;
}
interface DbRequest<T> extends DbEvents {
  readonly result: T;
  readonly error: unknown;
}
interface DbObjectStore {
  get(key: string): DbRequest<string | undefined>;
  put(value: string, key: string): DbRequest<unknown>;
  delete(key: string): DbRequest<unknown>;
  getAllKeys(): DbRequest<string[]>;
}
interface DbTransaction extends DbEvents {
  objectStore(name: string): DbObjectStore;
  commit?(): void;
  readonly error: unknown;
}
interface Db extends DbEvents {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: string, options: { durability: string }): DbTransaction;
}

const NAME = 'overworld';

/**
 * Makes a store in IndexedDB for workers, which have no `localStorage`. Returns null where there is no
 * IndexedDB. An event is stored a moment after `track` returns. `stored()` waits until all events are stored.
 *
 * @example
 * import { Overworld } from '@overworld/sdk';
 * import { indexedDbStore } from '@overworld/sdk/indexed-db-store';
 *
 * const overworld = new Overworld({ baseUrl, apiKey, playerId, store: indexedDbStore() });
 */
export function indexedDbStore(): OverworldStore | null {
  const factory = platform.indexedDB as { open(name: string): DbRequest<Db> } | undefined;
  if (!factory) return null;
  let opened: Promise<Db> | undefined;
  const open = () =>
    (opened ??= new Promise<Db>((resolve, reject) => {
      const request = factory.open(NAME);
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore(NAME));
      request.addEventListener('success', () => {
        // The browser closes the database, for example, when the player deletes the data of the site.
        request.result.addEventListener('close', () => (opened = undefined));
        resolve(request.result);
      });
      request.addEventListener('error', () => reject(request.error));
    }).catch((error) => {
      opened = undefined;
      throw error;
    }));
  /**
   * Runs a request in a transaction of its own. Resolves when the transaction ends, because a write is not
   * yet done when its request ends.
   */
  const run = async <T>(mode: string, ask: (store: DbObjectStore) => DbRequest<T>): Promise<T> => {
    const db = await open();
    return new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(NAME, mode, { durability: 'relaxed' });
      const request = ask(transaction.objectStore(NAME));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () => reject(transaction.error));
      transaction.commit?.();
    });
  };
  return {
    shared: true,
    getItem: async (key) => (await run('readonly', (store) => store.get(key))) ?? null,
    setItem: (key, value) => run('readwrite', (store) => store.put(value, key)),
    removeItem: (key) => run('readwrite', (store) => store.delete(key)),
    getAllKeys: () => run('readonly', (store) => store.getAllKeys()),
  };
}
