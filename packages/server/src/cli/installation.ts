import type { Config } from '../platform/config.ts';
import { openDatabase } from '../platform/database/database.ts';
import type { ConnectionSettings, Database } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/supervisor.ts';
import type { EmbeddedPostgres } from '../platform/embedded-postgres/supervisor.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/running.ts';
import { CommandError } from './command.ts';

const OLDEST_MAJOR = 15;

/** PostgreSQL, as the settings name it: external by DATABASE_URL, else the embedded one. */
export interface Installation {
  connection: ConnectionSettings;
  /** Null: PostgreSQL is external, or belongs to a server that runs. */
  embedded: EmbeddedPostgres | null;
  /** Such as `18.4`. */
  postgres_version: string;
  close(): Promise<void>;
}

/**
 * Reaches or starts the installation's PostgreSQL.
 * @param shared Whether a running server's embedded PostgreSQL may be used beside it: so for
 * commands, but not for a second server.
 * @throws CommandError or EmbeddedPostgresError with one sentence for the user.
 */
export async function openInstallation(
  config: Config,
  say: (line: string) => void,
  { shared }: { shared: boolean },
): Promise<Installation> {
  if (config.database_url !== null) {
    const connection = { url: config.database_url };
    const postgres_version = await checkServer(connection);
    return { connection, embedded: null, postgres_version, close: async () => undefined };
  }
  const running = shared ? findRunningPostgres(config.data_dir) : null;
  if (running !== null) {
    // A server that was killed leaves its traces: then nothing answers, and one is started.
    const postgres_version = await checkServer(running).catch(() => null);
    if (postgres_version !== null) {
      return {
        connection: running,
        embedded: null,
        postgres_version,
        close: async () => undefined,
      };
    }
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.data_dir, log: say });
  embedded.notes.forEach(say);
  try {
    const { connection } = embedded;
    const postgres_version = await checkServer(connection);
    return { connection, embedded, postgres_version, close: () => embedded.stop() };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/** Opens a database for the length of `work`. */
export async function withDatabase<T>(
  connection: ConnectionSettings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(connection, {
    application_name: 'overworld-cli',
    max_connections: 2,
    statement_timeout_ms: 0,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The server's version, when it answers, is new enough and stores UTF-8. */
async function checkServer(connection: ConnectionSettings): Promise<string> {
  return withDatabase(connection, async (database) => {
    const client = await database.connect().catch((cause: Error) => {
      throw new CommandError(
        `The database at ${describe(connection)} cannot be reached: ${cause.message || cause.name}. Check DATABASE_URL, and that PostgreSQL is running.`,
      );
    });
    try {
      const { rows } = await client.query<{ version: string; encoding: string }>(
        `SELECT current_setting('server_version') AS version,
                current_setting('server_encoding') AS encoding`,
      );
      const { version = '', encoding = '' } = rows[0] ?? {};
      if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
        throw new CommandError(
          `The database at ${describe(connection)} is PostgreSQL ${version}, and Overworld needs ${OLDEST_MAJOR} or newer.`,
        );
      }
      if (encoding !== 'UTF8') {
        throw new CommandError(
          `The database at ${describe(connection)} stores ${encoding}, and Overworld needs one with the encoding UTF8.`,
        );
      }
      return version.split(' ')[0]!;
    } finally {
      client.release();
    }
  });
}

/** Where it is, without its password. */
function describe(connection: ConnectionSettings): string {
  if (!('url' in connection)) return connection.host;
  const { hostname, port, pathname } = new URL(connection.url);
  return `${hostname || 'the local socket'}${port ? `:${port}` : ''}${pathname}`;
}
