import type { OverworldStore } from './options.ts';

/** A store whose writes never fail: what the one below refuses, as it is full, is held in memory. */
export interface KeptStore {
  /** The one below; null: all is in memory. */
  readonly below: OverworldStore | null;
  /** @throws what the store below throws; `read` finds nothing then. */
  get(key: string): string | null | Promise<string | null>;
  read(key: string): string | null | Promise<string | null>;
  /** @returns whether the store below has it; a promise of that where it needs time. */
  set(key: string, value: string): boolean | Promise<boolean>;
  /** @returns a promise where the store below needs time; so does `hold`. */
  remove(key: string): unknown;
  /** Keeps it in memory and no longer in the store below. */
  hold(key: string, value: string): unknown;
  listKeys(prefix: string): Promise<string[]>;
}

export function createKeptStore(below: OverworldStore | null): KeptStore {
  const memory = new Map<string, string>();
  const removeBelow = (key: string) => below && settle(() => below.removeItem(key));

  const store: KeptStore = {
    below,
    read(key) {
      try {
        const value = store.get(key);
        return value instanceof Promise ? value.catch(() => null) : value;
      } catch {
        return null;
      }
    },
    get(key) {
      const value = memory.get(key) ?? below?.getItem(key) ?? null;
      return typeof value === 'object' && value ? Promise.resolve(value) : value;
    },
    set(key, value) {
      memory.delete(key);
      const hold = () => {
        memory.set(key, value);
        return false;
      };
      if (!below) return hold();
      const isKept = settle(() => below.setItem(key, value));
      if (isKept instanceof Promise) return isKept.then((kept) => kept || hold());
      return isKept || hold();
    },
    remove(key) {
      memory.delete(key);
      return removeBelow(key);
    },
    hold(key, value) {
      memory.set(key, value);
      return removeBelow(key);
    },
    async listKeys(prefix) {
      const keys = below ? await below.getAllKeys() : [];
      return [...new Set([...keys, ...memory.keys()])].filter((key) => key.startsWith(prefix));
    },
  };
  return store;
}

/** What a text holds; undefined when it is none, or no JSON: others may write to the store as well. */
export function parseKept<T>(text: string | null | undefined): T | undefined {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a call that may fail at once, or later. @returns whether it did not. */
function settle(run: () => unknown): boolean | Promise<boolean> {
  try {
    const result = run() as PromiseLike<unknown> | undefined;
    if (typeof result?.then !== 'function') return true;
    return Promise.resolve(result).then(
      () => true,
      () => false,
    );
  } catch {
    return false;
  }
}
