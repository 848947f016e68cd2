import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describeConnection, readPassword } from './folder/cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster.ts';

/**
 * Describes the connection to the PostgreSQL that a running server has started on a data folder, for
 * another process of the same user. Null when no server runs there.
 */
export function findRunningPostgres(dataDir: string): ReturnType<typeof describeConnection> | null {
  const path = join(dataDir, 'postgres', 'cluster');
  if (!existsSync(path)) return null;
  const cluster = realpathSync(path);
  const file = readPostmasterFile(cluster);
  if (!file?.ready || !isPostmasterOf(file.pid, cluster)) return null;
  return describeConnection(file.socketFolder, readPassword(cluster));
}
