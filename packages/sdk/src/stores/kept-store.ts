import type { OverworldStore } from '../options.ts';

/** A value of a store; null or undefined: it has none. */
export type KeptText = string | null | undefined;

/** A store whose writes never fail. When the store below is full, further values stay in memory. */
export interface KeptStore {
  /** The store below; null: all values are in memory. */
  readonly below: OverworldStore | null;
  /** @throws the error of the store below; `read` finds nothing instead. */
  get(key: string): string | null | Promise<string | null>;
  read(key: string): string | null | Promise<string | null>;
  /** @returns whether the store below has the value; a promise if that store needs time. */
  set(key: string, value: string): boolean | Promise<boolean>;
  /** @returns a promise if the store below needs time. `hold` gives one then too. */
  remove(key: string): unknown;
  /** Moves the value from the store below to memory. */
  hold(key: string, value: string): unknown;
  listKeys(prefix: string): Promise<string[]>;
}

export function createKeptStore(below: OverworldStore | null): KeptStore {
  const memory = new Map<string, string>();
  const removeBelow = (key: string) => below && succeeds(() => below.removeItem(key));

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
      const isKept = succeeds(() => below.setItem(key, value));
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

/** Parses a stored text. Undefined if it is not JSON: other code may write to the store as well. */
export function parseKept<T>(text: KeptText): T | undefined {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a call that may fail at once or later. @returns whether it succeeded. */
function succeeds(run: () => unknown): boolean | Promise<boolean> {
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

/** A short hash of a text. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(36);
}
