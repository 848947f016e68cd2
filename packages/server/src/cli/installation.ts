import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { findCoordinator } from '../platform/database/cluster/citus.ts';
import type { Database } from '../platform/database/database.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import type { ConnectionSettings } from '../platform/database/open-database.ts';
import { sql } from '../platform/database/sql.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/supervisor.ts';
import type { EmbeddedPostgres } from '../platform/embedded-postgres/supervisor.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/running.ts';
import type { GroupedDatabase } from '../platform/database/game-groups.ts';
import type { GroupDirectory } from '../platform/database/group-directory.ts';
import { migrate } from '../platform/database/migrate.ts';
import { readGroups } from '../platform/database/pools.ts';
import { ApiError } from '../platform/errors.ts';
import { CommandError } from './command.ts';
import type { CommandContext } from './command.ts';
import { describeChoice, describeUrl, refuseOtherDatabase } from './database-choice.ts';

const OLDEST_MAJOR = 15;

/** The PostgreSQL that the settings choose: the one at DATABASE_URL, else the embedded one. */
export interface Installation {
  connection: ConnectionSettings;
  /** Null if PostgreSQL is external or belongs to a running server. */
  embedded: EmbeddedPostgres | null;
  /** Such as `18.4`. */
  postgres_version: string;
  close(): Promise<void>;
}

/**
 * Reaches or starts the installation's PostgreSQL.
 * @param shared True to use the embedded PostgreSQL of a running server together with that server.
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
    // A killed server leaves files that look as if it were still running. So if nothing answers, PostgreSQL
    // is started.
    const postgres_version = await checkServer(running).catch(() => null);
    if (postgres_version !== null) {
      const close = async () => undefined;
      return { connection: running, embedded: null, postgres_version, close };
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

/**
 * Opens the installation for a command, until `work` ends, and tells the user on standard error which one it
 * is. Errors of features become sentences for the user.
 * @param shared True if a server may run at the same time as the command.
 * @param migrates True to bring the database up to this release first.
 * @param creates True to make the installation if there is none.
 * @throws CommandError when there is no installation, and the command makes none.
 */
export async function withInstallation<T>(
  { config, tell }: Pick<CommandContext, 'config' | 'tell'>,
  work: (database: GroupedDatabase, installation: Installation) => Promise<T>,
  { shared = true, migrates = false, creates = false } = {},
): Promise<T> {
  refuseOtherDatabase(config);
  const isMissing = config.database_url === null && !existsSync(join(config.data_dir, 'postgres'));
  if (isMissing && !creates) throw noInstallation(config);
  tell(`This command acts on ${describeChoice(config)}.`);
  const installation = await openInstallation(config, tell, { shared });
  try {
    const { connection } = installation;
    if (!creates) await withDatabase(connection, (database) => requireTables(database, config));
    if (migrates) {
      await withDatabase(connection, (database) =>
        migrate(database, { groups: config.tenant_groups }),
      );
    }
    const groups = await readGroups(connection);
    return await withDatabase(connection, (database) => work(database, installation), groups);
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(`${error.message}.`, { cause: error });
    throw error;
  } finally {
    await installation.close();
  }
}

/** Opens the installation, and brings its database up to this release first. */
export const withMigratedInstallation = <T>(
  context: CommandContext,
  work: (database: GroupedDatabase, installation: Installation) => Promise<T>,
): Promise<T> => withInstallation(context, work, { migrates: true });

/** As withMigratedInstallation, but makes the installation if there is none. */
export const withNewInstallation = <T>(
  context: CommandContext,
  work: (database: GroupedDatabase, installation: Installation) => Promise<T>,
): Promise<T> => withInstallation(context, work, { migrates: true, creates: true });

const noInstallation = (config: Config) =>
  new CommandError(
    `There is no installation in ${describeChoice(config)}: give the settings of the server, DATA_DIR or DATABASE_URL.`,
  );

async function requireTables(database: Database, config: Config): Promise<void> {
  const found = await database.queryOne(sql`SELECT 1 WHERE to_regclass('migrations') IS NOT NULL`);
  if (found === null) throw noInstallation(config);
}

/**
 * Opens a database while `work` runs.
 * @param groups The directory with the groups of games. It is needed if `work` is about games.
 */
export async function withDatabase<T>(
  connection: ConnectionSettings,
  work: (database: GroupedDatabase) => Promise<T>,
  groups?: GroupDirectory,
): Promise<T> {
  const database = openDatabase(connection, {
    application_name: 'overworld-cli',
    // A backup holds its lock and reads over two connections, on a cluster over three.
    max_connections: 4,
    statement_timeout_ms: 0,
    groups,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Checks that a PostgreSQL answers, is new enough and stores UTF-8. @returns its version. */
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
      const coordinator = await findCoordinator(client);
      if (coordinator !== null) {
        throw new CommandError(
          `The database at ${describe(connection)} is a worker of a Citus cluster: name its coordinator, ${coordinator}, in DATABASE_URL.`,
        );
      }
      return version.split(' ')[0]!;
    } finally {
      client.release();
    }
  });
}

/** Names the address of a database, without the password. */
function describe(connection: ConnectionSettings): string {
  return 'url' in connection ? describeUrl(connection.url) : connection.host;
}
