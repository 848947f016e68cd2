import { prepareBinaries } from './binaries.ts';
import { describeConnection, openCluster } from './folder/cluster.ts';
import { openDataFolder } from './folder/data-folder.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { describeSystemError, EmbeddedPostgresError, isSystemError } from './error.ts';
import { launch } from './process/launch.ts';
import { acquireOwnershipLock } from './folder/ownership-lock.ts';
import type { OwnershipLock } from './folder/ownership-lock.ts';
import { clearAway } from './process/postmaster.ts';

interface EmbeddedPostgresOptions {
  /** The installation's data folder; PostgreSQL's files are in `postgres` below it. */
  dataDir: string;
  /** Receives a line for each step that takes a while. */
  log: (message: string) => void;
  /** Settings of PostgreSQL, in addition to our default settings or in place of them. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Options for `pg`. */
  connection: ReturnType<typeof describeConnection>;
  /** The connection as a URL. */
  url: string;
  /** True if the database did not exist before this start. */
  created: boolean;
  /** The real path of the folder with the data, the log and the socket. */
  folder: string;
  /** Sentences to show to the user. */
  notes: string[];
  /** Resolves when PostgreSQL has ended: to null after stop(), or to the reason if it ended unexpectedly. */
  exited: Promise<EmbeddedPostgresError | null>;
  /** Shuts PostgreSQL down and releases the data folder. Further calls are harmless. */
  stop(): Promise<void>;
}

/**
 * Starts the bundled PostgreSQL in a data folder, and sets the folder up first if it is new. Resolves
 * when PostgreSQL accepts connections (after 0.3 s in an existing folder). PostgreSQL stops after stop(),
 * and also when this process ends in any other way.
 * @throws EmbeddedPostgresError with a sentence for the user.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError(
      'The bundled PostgreSQL runs on Linux and macOS only: set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  try {
    const folder = openDataFolder(options.dataDir);
    const lock = await acquireOwnershipLock(folder.home, options.dataDir);
    try {
      return await startOwned(folder, lock, options);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof EmbeddedPostgresError || !isSystemError(error)) throw error;
    throw new EmbeddedPostgresError(
      `Cannot use the data folder ${options.dataDir} (${describeSystemError(error)}): choose a folder that you may write to with DATA_DIR.`,
      { cause: error },
    );
  }
}

async function startOwned(
  folder: DataFolder,
  lock: OwnershipLock,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  await clearAway(folder.cluster, options.log);
  const binaries = prepareBinaries(folder.home, folder.identity);
  const cluster = await openCluster(folder, binaries, options.log);
  const running = await launch(folder, binaries.postgres, options);
  void running.exited.then(() => lock.release());
  const connection = describeConnection(running.socketFolder, cluster.password);
  const { host, port, user, password, database } = connection;
  return {
    connection,
    url: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`,
    created: cluster.created,
    folder: folder.home,
    notes: folder.notes,
    exited: running.exited,
    stop: running.stop,
    [Symbol.asyncDispose]: running.stop,
  };
}
