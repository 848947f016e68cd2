import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../../../platform/embedded-postgres/error.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { createArchiveFile, UNFINISHED } from '../archive/archive-file.ts';
import type { BackupStore } from './backup-store.ts';

const ADVICE = 'check BACKUP_TO, and that the user of the server may write there';

/**
 * Opens a folder with backups. A folder that is missing is not made: it may be on a disk that is not mounted,
 * and backups would go to another disk.
 */
export function openFolderStore(folder: string): BackupStore {
  const explain = (error: unknown) =>
    new ArchiveError(`Cannot use the folder ${folder} (${describeSystemError(error)}): ${ADVICE}.`);
  const list = () =>
    readdir(folder).catch((error: unknown) => {
      throw explain(error);
    });
  const remove = async (name: string) => {
    await rm(join(folder, name), { force: true }).catch((error: unknown) => {
      throw explain(error);
    });
  };
  return {
    name: folder,
    list,
    create: async (name) => createArchiveFile(join(folder, name), ADVICE),
    async read(name) {
      const path = join(folder, name);
      const { size } = await stat(path).catch((error: unknown) => {
        throw explain(error);
      });
      return { source: createReadStream(path), bytes: size };
    },
    remove,
    async removeUnfinished(prefix) {
      for (const name of await list()) {
        if (name.startsWith(prefix) && name.endsWith(UNFINISHED)) await remove(name);
      }
    },
  };
}
