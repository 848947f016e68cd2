import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveReader } from '../../features/backups/archive/read-archive.ts';
import { sql } from '../../platform/database/sql.ts';
import { findRunningPostgres } from '../../platform/embedded-postgres/running.ts';
import { CommandError } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { restore } from './restore-archive.ts';

/** The folder in DATA_DIR for everything that a dry run makes. */
const DRY_RUN_FOLDER = 'dry-run';

/**
 * Runs `work` with an empty folder, which is deleted afterwards.
 * @throws CommandError while another dry run uses the folder.
 */
export async function withDryRunFolder<T>(
  { config }: Pick<CommandContext, 'config'>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = join(config.data_dir, DRY_RUN_FOLDER);
  if (findRunningPostgres(dataFolder(folder)) !== null) {
    throw new CommandError(`Another dry run uses the folder ${folder}: wait for its end.`);
  }
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const dataFolder = (folder: string) => join(folder, 'data');

/** Restores a backup into a database of its own in the folder of a dry run, and counts what it holds. */
export async function tryRestore(
  { config }: Pick<CommandContext, 'config'>,
  folder: string,
  archive: ArchiveReader,
) {
  const own = { ...config, data_dir: dataFolder(folder), database_url: null };
  const started_at = performance.now();
  return withInstallation(
    { config: own, tell: () => undefined },
    async (database) => {
      const restored = await restore(database, archive, config.tenant_groups);
      const counts = await database.queryOne<{ accounts: number; games: number }>(sql`
        SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM games) AS games`);
      return { ...restored, ...counts!, took_ms: performance.now() - started_at };
    },
    { shared: false, creates: true },
  );
}

/** Writes a duration in whole seconds, such as `1 second` or `95 seconds`. */
export function inSeconds(duration_ms: number): string {
  const seconds = Math.ceil(duration_ms / 1_000);
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
