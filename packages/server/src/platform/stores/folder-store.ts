import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeSystemError } from '../embedded-postgres/error.ts';
import type { FileStore } from './file-store.ts';
import { createFile, flushFolder, UNFINISHED } from './file-target.ts';
import { StoreError } from './store-error.ts';

/**
 * The folder of what `replace` has begun, where remains are found without a look into the folders of all files.
 * Programs that read all files leave out folders whose names begin with a dot.
 */
const WRITING = '.writing';

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
  const writing = join(folder, WRITING);
  const removeUnfinishedIn = async (names: string[], parent: string, prefix: string, age = 0) => {
    for (const name of names) {
      if (!name.startsWith(prefix) || !name.endsWith(UNFINISHED)) continue;
      const path = join(parent, name);
      if (age > 0 && (await readAge(path)) < age) continue;
      await explained(rm(path, { force: true }));
    }
  };
  return {
    name: folder,
    list,
    create: async (name) => createFile(join(folder, name), advice),
    async replace(name) {
      const path = join(folder, name);
      await explained(makeFolders(folder, dirname(path)));
      await explained(makeFolders(folder, writing));
      await removeUnfinishedIn(await explained(readdir(writing)), writing, flatten(name));
      // Two servers may write the file at once, if one of them was stopped for a while.
      const unfinished = join(writing, `${flatten(name)}.${randomUUID()}${UNFINISHED}`);
      return createFile(path, advice, { unfinished, replaces: true });
    },
    async read(name) {
      const path = join(folder, name);
      const { size } = await explained(stat(path));
      return { source: createReadStream(path), bytes: size };
    },
    remove,
    async removeUnfinished(prefix, min_age_ms) {
      const names = await list();
      await removeUnfinishedIn(names, folder, prefix, min_age_ms);
      if (!names.includes(WRITING)) return;
      const begun = await explained(readdir(writing));
      await removeUnfinishedIn(begun, writing, flatten(prefix), min_age_ms);
    },
  };
}

const flatten = (name: string): string => name.replaceAll('/', ',');

/** Reads the time since a file was written to. A file that is gone has none. */
const readAge = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

/**
 * Makes the folders between two that are missing, so that they outlive a loss of power. A server that was
 * killed may have made them, and not flushed them.
 */
async function makeFolders(root: string, parent: string): Promise<void> {
  await stat(root);
  await mkdir(parent, { recursive: true });
  for (let made = parent; made !== root; made = dirname(made)) await flushFolder(dirname(made));
}
