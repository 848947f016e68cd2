import { openDatabase } from './open-database.ts';
import type { ConnectionSettings } from './open-database.ts';
import { readDirectory } from './group-directory.ts';
import type { GroupDirectory } from './group-directory.ts';

const MAX_CONNECTIONS = 10;
/**
 * The minimum number of connections. One of them listens to notifications, and another
 * one is never taken by reports and searches.
 */
const LEAST_CONNECTIONS = 4;

/** Reads the groups of an installation, through a connection that is opened only for this. */
export async function readGroups(connection: ConnectionSettings): Promise<GroupDirectory> {
  const database = openDatabase(connection, { application_name: 'overworld', max_connections: 1 });
  try {
    return await readDirectory(database);
  } finally {
    await database.close();
  }
}

/**
 * Opens the pools of one worker.
 * @param onError Receives the error when an idle connection is lost.
 * @param workers The number of workers of the server, which share its connections.
 */
export function openPools(
  connection: ConnectionSettings,
  onError: (error: Error) => void,
  workers: number,
  groups: GroupDirectory,
) {
  const max_connections = Math.max(LEAST_CONNECTIONS, Math.ceil(MAX_CONNECTIONS / workers));
  const hot = openDatabase(connection, {
    application_name: 'overworld-hot',
    max_connections,
    prepare: true,
    groups,
    onError,
  });
  const database = openDatabase(connection, {
    application_name: 'overworld',
    max_connections,
    groups,
    onError,
  });
  const inbox = openDatabase(connection, {
    application_name: 'overworld-inbox',
    max_connections: 1,
    prepare: true,
    max_lifetime_s: 3_600,
    groups,
    onError,
  });
  return {
    /**
     * For calls from games: a few connections with prepared statements. Queries of the dashboard never
     * occupy these connections.
     */
    hot,
    /** For all other statements. */
    database,
    /**
     * For the inbox's worker. The worker's temporary table is never vacuumed, so
     * the connection is replaced every hour.
     */
    inbox,
    close: (): Promise<unknown> => Promise.all([hot.close(), inbox.close(), database.close()]),
  };
}
