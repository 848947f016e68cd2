import type { ArchiveReader } from '../../features/backups/archive/read-archive.ts';
import { classifyFailure } from '../../platform/database/failure.ts';
import { findGroupCount, GROUP_COUNT_NAME } from '../../platform/database/group-directory.ts';
import { findLastMigration, hasGroups, migrate } from '../../platform/database/migrate.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Database } from '../../platform/database/database.ts';
import { placeGames } from '../archive/game-places.ts';
import { loadRows } from '../archive/load-rows.ts';
import { withClientInTransaction } from '../archive/load-transaction.ts';
import { CommandError } from '../command.ts';
import { countRows, showProgress } from '../progress.ts';

interface Restored {
  rows: number;
  /** The migrations of releases after that of the backup. */
  migrations: string[];
  migrate_ms: number;
}

/**
 * Restores a backup: creates the tables as the backup's release had them, loads the rows,
 * and then runs the later migrations. Either all rows are loaded or none.
 * @param wanted The number of groups for a new installation; null for as many as the backup has.
 * @returns the number of rows, and the later migrations with the time that they took.
 */
export async function restore(
  database: Database,
  { header, lines, progress }: ArchiveReader,
  wanted: number | null,
): Promise<Restored> {
  const { groups: archived_groups = 1 } = header;
  const known_groups = await findGroupCount(database);
  const groups = wanted ?? known_groups ?? archived_groups;
  if (groups > 1 && !hasGroups(header.migration)) {
    throw new CommandError(
      `The backup is of a release without groups of games (schema ${header.migration}): restore it with TENANT_GROUPS=1, and restore a backup of that.`,
    );
  }
  await migrate(database, { last: header.migration, groups });
  const used = await database.queryOne(
    sql`SELECT 1 FROM accounts UNION ALL SELECT 1 FROM games LIMIT 1`,
  );
  if (used !== null) {
    throw new CommandError(
      'This installation is not empty: restore into a new one, with a DATA_DIR or DATABASE_URL of its own.',
    );
  }
  const last = await findLastMigration(database);
  if (last !== header.migration) {
    throw new CommandError(
      `The backup is of an older release (schema ${header.migration}), and this installation was started by this one (${last}) already: restore into one that was never started.`,
    );
  }
  const bar = showProgress();
  const rows = await withClientInTransaction(database, async (client) => {
    // The migration has inserted rows into this table. The rows of the backup replace them.
    await client.query('DELETE FROM installation');
    const loaded = await loadRows(client, lines, {
      contents: { game_id: null, with_secrets: true },
      places: placeGames(archived_groups, groups),
      onProgress: (count) => bar.update(progress(), countRows(count)),
    });
    await client.query('UPDATE installation SET value = $1 WHERE name = $2', [
      String(groups),
      GROUP_COUNT_NAME,
    ]);
    return loaded;
  });
  const loaded_at = performance.now();
  const migrations = await migrateRestored(database);
  const migrate_ms = performance.now() - loaded_at;
  bar.done(`Loaded ${countRows(rows)}`);
  await database.execute(sql`ANALYZE`);
  return { rows, migrations, migrate_ms };
}

/** @throws CommandError when a migration cannot take over the restored rows. */
async function migrateRestored(database: Database): Promise<string[]> {
  try {
    return await migrate(database);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
    const failure = classifyFailure(cause);
    if (failure !== 'refused_value' && failure !== 'rolled_back') throw error;
    throw new CommandError(
      `The backup is loaded, but this release cannot take over its rows (${(error as Error).message}: ${cause!.message}). Delete this database, and restore into a new one with the release that made the backup.`,
      { cause: error },
    );
  }
}
