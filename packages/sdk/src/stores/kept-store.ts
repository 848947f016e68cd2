import type { OverworldStore } from '../options.ts';

/** A value of a store; null or undefined if the store has no such value. */
export type KeptText = string | null | undefined;

/** A store on top of another one, the store below. When that store is full, further values stay in memory. */
export interface KeptStore {
  /** The store below; null if all values are in memory. */
  readonly lower: OverworldStore | null;
  /** @throws the error of the store below. In the same case `read` returns null. */
  get(key: string): string | null | Promise<string | null>;
  read(key: string): string | null | Promise<string | null>;
  /** @returns true if the store below has the value; a promise of the result if that store needs time. */
  set(key: string, value: string): boolean | Promise<boolean>;
  /** @returns a promise if the store below needs time. In that case `hold` also returns a promise. */
  erase(key: string): unknown;
  /** Moves the value from the store below to memory. */
  hold(key: string, value: string): unknown;
  listKeys(prefix: string): Promise<string[]>;
}

export function createKeptStore(lower: OverworldStore | null): KeptStore {
  const memory = new Map<string, string>();
  const removeLower = (key: string) => lower && succeeds(() => lower.removeItem(key));

  const store: KeptStore = {
    lower,
    read(key) {
      try {
        const value = store.get(key);
        return value instanceof Promise ? value.catch(() => null) : value;
      } catch {
        return null;
      }
    },
    get: (key) => memory.get(key) ?? lower?.getItem(key) ?? null,
    set(key, value) {
      memory.delete(key);
      const hold = () => {
        memory.set(key, value);
        return false;
      };
      if (!lower) return hold();
      const isKept = succeeds(() => lower.setItem(key, value));
      if (isKept instanceof Promise) return isKept.then((kept) => kept || hold());
      return isKept || hold();
    },
    erase(key) {
      memory.delete(key);
      return removeLower(key);
    },
    hold(key, value) {
      memory.set(key, value);
      return removeLower(key);
    },
    async listKeys(prefix) {
      const keys = lower ? await lower.getAllKeys() : [];
      return [...new Set([...keys, ...memory.keys()])].filter((key) => key.startsWith(prefix));
    },
  };
  return store;
}

/**
 * Parses a stored text. Returns undefined if it is not JSON, because other code may write to the store too.
 */
export function parseKept<T>(text: KeptText): T | undefined {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** Copies a value through JSON, because the game may change the value before it is sent. */
export const copyOf = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

/** Runs a call that may throw, or return a promise that rejects. @returns whether the call succeeded. */
function succeeds(run: () => unknown): boolean | Promise<boolean> {
  try {
    const result = run();
    if (!(result instanceof Promise)) return true;
    return result.then(
      () => true,
      () => false,
    );
  } catch {
    return false;
  }
}

/** Makes a short hash of a text. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(36);
}
