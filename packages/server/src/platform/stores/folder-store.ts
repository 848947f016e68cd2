import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeSystemError } from '../embedded-postgres/error.ts';
import type { FileStore } from './file-store.ts';
import { createFile, flushFolder, UNFINISHED } from './file-target.ts';
import { StoreError } from './store-error.ts';

/**
 * Opens a folder with files. A folder that is missing is not made: it may be on a disk that is not mounted,
 * and files would go to another disk.
 * @param setting The setting that names the folder, for sentences.
 */
export function openFolderStore(folder: string, setting = 'BACKUP_TO'): FileStore {
  const advice = `check ${setting}, and that the user of the server may write there`;
  const explained = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw new StoreError(
        `Cannot use the folder ${folder} (${describeSystemError(error)}): ${advice}.`,
      );
    });
  const list = () => explained(readdir(folder));
  const remove = (name: string) => explained(rm(join(folder, name), { force: true }));
  const removeUnfinishedIn = async (parent: string, prefix: string) => {
    for (const name of await explained(readdir(parent))) {
      if (!name.startsWith(prefix) || !name.endsWith(UNFINISHED)) continue;
      await explained(rm(join(parent, name), { force: true }));
    }
  };
  return {
    name: folder,
    list,
    create: async (name) => createFile(join(folder, name), advice),
    async replace(name) {
      const path = join(folder, name);
      const parent = dirname(path);
      await explained(makeFolders(folder, parent));
      // Programs that read all files of a folder leave out names that begin with a dot.
      const start = `.${basename(path)}`;
      await removeUnfinishedIn(parent, start);
      // Two servers may write the file at once, if one of them was stopped for a while.
      const unfinished = join(parent, `${start}.${randomUUID()}${UNFINISHED}`);
      return createFile(path, advice, { unfinished, replaces: true });
    },
    async read(name) {
      const path = join(folder, name);
      const { size } = await explained(stat(path));
      return { source: createReadStream(path), bytes: size };
    },
    remove,
    removeUnfinished: (prefix) => removeUnfinishedIn(folder, prefix),
  };
}

/**
 * Makes the folders between two that are missing, so that they outlive a loss of power. A server that was
 * killed may have made them, and not flushed them.
 */
async function makeFolders(root: string, parent: string): Promise<void> {
  await stat(root);
  await mkdir(parent, { recursive: true });
  for (let made = parent; made !== root; made = dirname(made)) await flushFolder(dirname(made));
}
