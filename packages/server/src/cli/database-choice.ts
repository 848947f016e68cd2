import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/running.ts';
import { CommandError } from './command.ts';

type Choice = Pick<Config, 'data_dir' | 'database_url'>;

/** The file in the data folder that names the external database on which the server of the folder runs. */
const RECORD = 'external-database';

/** Names the database at a URL, without the password. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  const host = decodeURIComponent(hostname);
  return `${host || 'the local socket'}${port ? `:${port}` : ''}${pathname}`;
}

/** Names the installation that the settings choose. */
export const describeChoice = ({ data_dir, database_url }: Choice): string =>
  database_url === null
    ? `the data folder ${data_dir}`
    : `the database at ${describeUrl(database_url)}`;

/**
 * Refuses settings that choose another database than the one of the server with the same data folder. A
 * command without the settings of the server would otherwise back up a database that is no longer in use.
 * @throws CommandError when the server uses an external database and DATABASE_URL is not set, or when it runs
 * on the bundled PostgreSQL and DATABASE_URL is set.
 */
export function refuseOtherDatabase({ data_dir, database_url }: Choice): void {
  if (database_url !== null) {
    if (findRunningPostgres(data_dir) === null) return;
    throw new CommandError(
      `A server is running with the PostgreSQL in the data folder ${data_dir}, and DATABASE_URL names the database at ${describeUrl(database_url)}: stop that server, or unset DATABASE_URL, or set DATA_DIR to another folder.`,
    );
  }
  const record = join(data_dir, RECORD);
  if (!existsSync(record)) return;
  throw new CommandError(
    `The server with the data folder ${data_dir} uses the database at ${readFileSync(record, 'utf8').trim()}, and DATABASE_URL is not set: give the settings of the server. To use the PostgreSQL in this folder instead, delete ${record}.`,
  );
}

/**
 * Records in the data folder that its server uses an external database. A folder that is missing holds no
 * data that could be taken for that of the server, so it is not made.
 */
export function recordExternalDatabase({ data_dir, database_url }: Choice): void {
  if (database_url === null || !existsSync(data_dir)) return;
  try {
    writeFileSync(join(data_dir, RECORD), `${describeUrl(database_url)}\n`);
  } catch {
    // Nobody whom the system keeps from writing here can set up a PostgreSQL here either.
  }
}
