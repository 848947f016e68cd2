import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_NAME, readPassword, ROLE_NAME } from './folder/cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster.ts';
import { PORT } from './process/socket-folder.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

/**
 * The connection to the PostgreSQL of the server that runs on a data folder, for another process of the
 * same user. Null when no server runs there.
 */
export function findRunningPostgres(dataDir: string): EmbeddedPostgres['connection'] | null {
  const path = join(dataDir, 'postgres', 'cluster');
  if (!existsSync(path)) return null;
  const cluster = realpathSync(path);
  const file = readPostmasterFile(cluster);
  if (!file?.ready || !isPostmasterOf(file.pid, cluster)) return null;
  return {
    host: file.socketFolder,
    port: PORT,
    user: ROLE_NAME,
    password: readPassword(cluster),
    database: DATABASE_NAME,
  };
}
