import { openDatabase } from './database.ts';
import type { ConnectionSettings } from './database.ts';
import { readDirectory } from './group-directory.ts';
import type { GroupDirectory } from './group-directory.ts';

const MAX_CONNECTIONS = 10;
/** One connection listens to notifications, and one is never taken by reports and searches. */
const LEAST_CONNECTIONS = 4;

/** Reads the groups of an installation, by a connection of its own. */
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
 * @param workers Workers of the server, which divide its connections.
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
     * For calls of games: few connections with prepared statements. Queries of the dashboard cannot
     * take them.
     */
    hot,
    /** All other statements. */
    database,
    /** The inbox's worker keeps a temporary table, which nothing vacuums: its connection must end. */
    inbox,
    close: (): Promise<unknown> => Promise.all([hot.close(), inbox.close(), database.close()]),
  };
}
