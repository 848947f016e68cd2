import { openDatabase } from './open-database.ts';
import type { ConnectionSettings } from './open-database.ts';
import { readDirectory } from './group-directory.ts';
import type { GroupDirectory } from './group-directory.ts';
import { countReadSlots } from '../queue/dashboard-turns.ts';

const HOT_CONNECTIONS = 10;
const LEAST_HOT_CONNECTIONS = 4;
const CONNECTIONS = 8;
/**
 * One of them listens to notifications, and one may serve a long change. The others are for logins, changes
 * and work in the background.
 */
const LEAST_CONNECTIONS = 4;
/** Connections of `reads` besides those for turns, for reads of one player, which take no turn. */
const SHORT_READ_CONNECTIONS = 1;

const READ_SETTINGS = {
  default_transaction_read_only: 'on',
  // Workers of parallel queries would not have the low priority of their connection.
  max_parallel_workers_per_gather: '0',
};

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
  const hot = openDatabase(connection, {
    application_name: 'overworld-hot',
    max_connections: Math.max(LEAST_HOT_CONNECTIONS, Math.ceil(HOT_CONNECTIONS / workers)),
    prepare: true,
    groups,
    onError,
  });
  const database = openDatabase(connection, {
    application_name: 'overworld',
    max_connections: Math.max(LEAST_CONNECTIONS, Math.ceil(CONNECTIONS / workers)),
    groups,
    onError,
  });
  const reads = openDatabase(connection, {
    application_name: 'overworld-reads',
    max_connections: countReadSlots(workers) + SHORT_READ_CONNECTIONS,
    settings: READ_SETTINGS,
    low_priority: true,
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
    /** For long reads, which come in turns (`call.read`), and for reads of one player. Writes fail here. */
    reads,
    /**
     * For ingesters. Their temporary table is never vacuumed, so
     * the connection is replaced every hour.
     */
    inbox,
    close: (): Promise<unknown> =>
      Promise.all([hot, inbox, database, reads].map((pool) => pool.close())),
  };
}
