import { openDatabase } from './database.ts';
import type { ConnectionSettings, Database } from './database.ts';

/** The connections of a server to PostgreSQL. */
export interface Pools {
  /**
   * Calls of games: few connections, which dashboard queries cannot take, and prepared statements.
   */
  hot: Database;
  /** All other statements. */
  database: Database;
  /** The inbox's worker keeps a temporary table, which nothing vacuums: its connection must end. */
  inbox: Database;
  close(): Promise<unknown>;
}

/** @param onError Receives the error when an idle connection is lost. */
export function openPools(connection: ConnectionSettings, onError: (error: Error) => void): Pools {
  const hot = openDatabase(connection, {
    application_name: 'overworld-hot',
    max_connections: 10,
    prepare: true,
    onError,
  });
  const database = openDatabase(connection, {
    application_name: 'overworld',
    max_connections: 10,
    onError,
  });
  const inbox = openDatabase(connection, {
    application_name: 'overworld-inbox',
    max_connections: 1,
    prepare: true,
    max_lifetime_s: 3_600,
    onError,
  });
  return {
    hot,
    database,
    inbox,
    close: () => Promise.all([hot.close(), inbox.close(), database.close()]),
  };
}
