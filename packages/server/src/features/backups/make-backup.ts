import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { ArchiveError } from './archive/archive-error.ts';
import { writeArchive } from './archive/write-archive.ts';
import type { WrittenArchive } from './archive/write-archive.ts';
import { listBackups, nameBackup, prefixOf } from './backup-names.ts';
import { getBackupId, listChecked, recordBackup } from './backup-rows.ts';
import type { BackupName } from './backup-names.ts';
import type { FileStore } from '../../platform/stores/file-store.ts';
import { StoreError } from '../../platform/stores/store-error.ts';

/**
 * The number of the advisory lock that is held while a backup is made. Any fixed number would do.
 */
const BACKUP_LOCK = 7_301_994;
/** So many places may take turns. The names of backups that somebody else removed are forgotten in time. */
const MAX_PLACES = 10;

interface BackupOptions {
  /** The number of backups to keep. */
  keep: number;
  onProgress?: (rows: number, table: string) => void;
  signal?: AbortSignal;
}

export interface MadeBackup extends WrittenArchive {
  name: string;
  /** The names of older backups that were removed. */
  removed: string[];
  /** The reason why older backups could not be removed; null if there is none. */
  problem: string | null;
}

/**
 * Makes a backup without secrets, reads it back whole, and then removes backups of this installation that are
 * older than the newest `keep` of those that were read back. Other files of the place are left alone.
 * @throws StoreError when another backup of this installation is being made, or the place does not store or
 * list it.
 */
export async function makeBackup(
  database: GroupedDatabase,
  store: FileStore,
  { keep, onProgress, signal }: BackupOptions,
): Promise<MadeBackup> {
  return withBackupLock(database, async () => {
    const id = await getBackupId(database);
    await store.removeUnfinished(prefixOf(id));
    const checked = await listChecked(database);
    const [newest] = listBackups([...checked, ...namesOf(await listOwn(store, id))]);
    const name = nameBackup(id, (newest?.number ?? 0) + 1, new Date());
    const target = { ...(await store.create(name)), is_gzip: true };
    const contents = { game_id: null, with_secrets: false };
    const written = await writeArchive(database, target, { ...contents, onProgress, signal });
    const own = await listWithNew(store, id, name);
    const known = new Set([name, ...checked]);
    const old = findOld(own, known, keep);
    for (const removed of old) known.delete(removed);
    await recordBackup(database, [...known].slice(0, MAX_PLACES * keep));
    return { name, ...written, ...(await removeOld(store, old)) };
  });
}

const namesOf = (backups: BackupName[]) => backups.map(({ name }) => name);

const listOwn = async (store: FileStore, id: string) =>
  listBackups(await store.list()).filter((backup) => backup.id === id);

/** Lists the backups after a new one was made. A new one that is not listed is removed. */
async function listWithNew(store: FileStore, id: string, name: string): Promise<BackupName[]> {
  try {
    const own = await listOwn(store, id);
    if (namesOf(own).includes(name)) return own;
    throw new ArchiveError(`The backup ${name} was written, but ${store.name} does not list it.`);
  } catch (error) {
    await store.remove(name).catch(() => undefined);
    throw error;
  }
}

/**
 * Finds the backups that are older than the newest `keep` checked ones. A file that was not checked, such as
 * one of a killed backup, takes the place of none.
 */
function findOld(own: BackupName[], checked: ReadonlySet<string>, keep: number): string[] {
  const oldest = own.filter(({ name }) => checked.has(name))[keep - 1];
  return oldest === undefined ? [] : namesOf(own.filter(({ number }) => number < oldest.number));
}

/** Removes old backups. If that fails, the new backup is good all the same. */
async function removeOld(
  store: FileStore,
  old: string[],
): Promise<Pick<MadeBackup, 'removed' | 'problem'>> {
  const removed: string[] = [];
  try {
    for (const name of old) {
      await store.remove(name);
      removed.push(name);
    }
    return { removed, problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { removed, problem: error.message };
  }
}

/** Runs `work` while no other server or command makes a backup. */
async function withBackupLock<T>(database: GroupedDatabase, work: () => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ is_free: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS is_free',
      [BACKUP_LOCK],
    );
    if (!rows[0]!.is_free) {
      throw new ArchiveError('Another server or command makes a backup now: try again later.');
    }
    return await work().finally(() =>
      client.query('SELECT pg_advisory_unlock($1)', [BACKUP_LOCK]).catch(() => undefined),
    );
  } finally {
    client.release(true);
  }
}
