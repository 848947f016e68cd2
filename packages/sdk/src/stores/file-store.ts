import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { OverworldStore } from '../options.ts';

/** One store for each folder, so that two clients of a process share their locks. */
const stores = new Map<string, OverworldStore>();

/**
 * A store in a folder, for Node and the main process of Electron; the folder is made if necessary. Each
 * value is a file. After a crash of the process a file is complete or does not exist. Only one process
 * at a time may use a folder.
 *
 * @example
 * import { Overworld } from '@overworld/sdk';
 * import { fileStore } from '@overworld/sdk/file-store';
 *
 * const overworld = new Overworld({ baseUrl, apiKey, store: fileStore('./overworld-data') });
 */
export function fileStore(folder: string): OverworldStore {
  const path = resolve(folder);
  const store = stores.get(path) ?? openFolder(path);
  stores.set(path, store);
  return store;
}

function openFolder(folder: string): OverworldStore {
  const ready = mkdir(folder, { recursive: true });
  // Without the folder each call fails by itself, so this error needs no report of its own.
  ready.catch(() => undefined);
  /** The last call for each key; calls for one key run one after another. */
  const last = new Map<string, Promise<unknown>>();
  const pathOf = (key: string) => join(folder, encodeURIComponent(key));

  const inTurn = <T>(key: string, run: (path: string) => Promise<T>): Promise<T> => {
    const result = Promise.allSettled([ready, last.get(key)]).then(() => run(pathOf(key)));
    last.set(key, result);
    const forget = () => {
      if (last.get(key) === result) last.delete(key);
    };
    result.then(forget, forget);
    return result;
  };

  return {
    getItem: (key) =>
      inTurn(key, (path) =>
        readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        }),
      ),
    setItem: (key, value) =>
      inTurn(key, async (path) => {
        const unfinished = `${path}.tmp`;
        try {
          await writeFile(unfinished, value);
          await rename(unfinished, path);
        } catch (error) {
          // On a full disk, a part of the value would take the room of the next one.
          await rm(unfinished, { force: true }).catch(() => undefined);
          throw error;
        }
      }),
    removeItem: (key) => inTurn(key, (path) => rm(path, { force: true })),
    async getAllKeys() {
      await ready;
      const names = await readdir(folder);
      return names.filter((name) => !name.endsWith('.tmp')).map(decodeURIComponent);
    },
  };
}
