import type { OverworldStore } from '../options.ts';
import { platform } from '../http/platform.ts';

/**
 * Returns a store in the browser's `localStorage`, or null outside of pages. If the browser has none, or
 * forbids its use, every call of the store throws. A value is stored before `setItem` returns, so a page that
 * closes the next moment loses nothing.
 */
export const localStorageStore = (): OverworldStore | null => {
  // Only pages have a `document`. Node's `localStorage` prints warnings, and fails without a file.
  if (!platform.document) return null;
  // A browser that forbids the storage throws as soon as a page reads this member.
  const storage = () => platform.localStorage!;
  return {
    shared: true,
    getItem: (key) => storage().getItem(key),
    setItem: (key, value) => storage().setItem(key, value),
    removeItem: (key) => storage().removeItem(key),
    getAllKeys: () => Object.keys(storage()),
  };
};
