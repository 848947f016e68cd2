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
  /** Tells whether the store below has taken the last value of this key. */
  isStored(key: string): boolean;
  /** @returns a promise if the store below needs time. */
  set(key: string, text: string): unknown;
  /** Stores a value as JSON. @returns a promise if the store below needs time. */
  keep(key: string, value: object): unknown;
  /** @returns a promise if the store below needs time. In that case `hold` also returns a promise. */
  erase(key: string): unknown;
  /** Moves the value from the store below to memory. */
  hold(key: string, value: string): unknown;
  /** Lists a key twice if the store below has an earlier value of a key in memory. */
  listKeys(prefix: string): Promise<string[]>;
}

/** @param onFailure Called with the error of each value that the store below has not taken. */
export const createKeptStore = (
  lower: OverworldStore | null,
  onFailure: (error: unknown) => void,
): KeptStore => {
  const memory = new Map<string, string>();
  // If the value stays, that does no harm: what is sent twice takes effect once.
  const removeLower = (key: string) =>
    attempt(
      () => lower?.removeItem(key),
      () => undefined,
    );

  const store: KeptStore = {
    lower,
    read: (key) =>
      attempt(
        () => store.get(key),
        () => null,
      ),
    get: (key) => memory.get(key) ?? lower?.getItem(key) ?? null,
    isStored: (key) => !!lower && !memory.has(key),
    set: (key, text) => {
      memory.delete(key);
      const hold = (error?: unknown) => {
        memory.set(key, text);
        if (lower) onFailure(error);
      };
      return attempt(() => (lower ? lower.setItem(key, text) : hold()), hold);
    },
    keep: (key, value) => store.set(key, JSON.stringify(value)),
    erase: (key) => {
      memory.delete(key);
      return removeLower(key);
    },
    hold: (key, value) => {
      memory.set(key, value);
      return removeLower(key);
    },
    listKeys: async (prefix) => {
      const keys = lower ? await lower.getAllKeys() : [];
      return [...keys, ...memory.keys()].filter((key) => key.startsWith(prefix));
    },
  };
  return store;
};

/** Runs a call that may throw, or return a promise that rejects. In both cases `recover` gives the result. */
const attempt = <T>(run: () => T | Promise<T>, recover: (error: unknown) => T): T | Promise<T> => {
  try {
    const result = run();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
};

/**
 * Parses a stored text. Returns undefined if it is not JSON, because other code may write to the store too.
 */
export const parseKept = <T>(text: KeptText): T | undefined => {
  try {
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
};

/** Copies a value through JSON, because the game may change the value before it is sent. */
export const copyOf = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

/** Makes a short hash of a text. */
export const hashOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return (hash >>> 0).toString(36);
};
