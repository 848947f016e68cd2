import type { OverworldStore } from '../options.ts';
import { platform } from '../http/platform.ts';

/**
 * Returns a store in the browser's `localStorage`, or null if there is none or it may not be used.
 * A value is stored before `setItem` returns, so a page that closes the next moment loses nothing.
 */
export function localStorageStore(): OverworldStore | null {
  try {
    // Only pages have a `document`. Node's `localStorage` prints warnings, and fails without a file.
    const storage = platform.document && platform.localStorage;
    if (!storage) return null;
    storage.getItem('overworld');
    return {
      shared: true,
      getItem: (key) => storage.getItem(key),
      setItem: (key, value) => storage.setItem(key, value),
      removeItem: (key) => storage.removeItem(key),
      getAllKeys: () => Object.keys(storage),
    };
  } catch {
    return null;
  }
}
