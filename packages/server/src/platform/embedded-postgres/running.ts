import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describeConnection, readPassword } from './folder/cluster.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster.ts';

/**
 * Finds the PostgreSQL that a running server has started on a data folder. Returns the settings with which
 * another process of the same user can connect to it. Returns null if no server runs on the folder.
 */
export function findRunningPostgres(dataDir: string): ReturnType<typeof describeConnection> | null {
  const path = join(dataDir, 'postgres', 'cluster');
  if (!existsSync(path)) return null;
  const cluster = realpathSync(path);
  const file = readPostmasterFile(cluster);
  if (!file?.ready || !isPostmasterOf(file.pid, cluster)) return null;
  return describeConnection(file.socketFolder, readPassword(cluster));
}
