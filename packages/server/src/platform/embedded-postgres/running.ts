import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPassword, DATABASE_NAME, ROLE_NAME } from './cluster.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

/**
 * How to reach the PostgreSQL of a server that runs on a data folder, from another process of the
 * same user; null when none runs there.
 */
export function findRunningPostgres(dataDir: string): EmbeddedPostgres['connection'] | null {
  const cluster = join(dataDir, 'postgres', 'cluster');
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  // Lines of postmaster.pid: pid, data folder, start time, port, socket folder, …, status.
  const [pid, , , port, host] = lines;
  if (!host || !isAlive(Number(pid))) return null;
  return {
    host,
    port: Number(port),
    user: ROLE_NAME,
    password: readPassword(cluster),
    database: DATABASE_NAME,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
