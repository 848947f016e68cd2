import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { classifyFailure } from '../platform/database/failure.ts';
import { findGroupCount, GROUP_COUNT_NAME } from '../platform/database/group-directory.ts';
import { findLastMigration, hasGroups, migrate } from '../platform/database/migrate.ts';
import { recordBackup } from '../platform/database/last-backup.ts';
import { sql } from '../platform/database/sql.ts';
import type { Database } from '../platform/database/database.ts';
import { placeGames } from './archive/game-places.ts';
import { loadRows } from './archive/load-rows.ts';
import { withClientInTransaction } from './archive/load-transaction.ts';
import { openArchive } from './archive/read-archive.ts';
import type { ArchiveReader } from './archive/read-archive.ts';
import { nameTarget, STANDARD_STREAM } from './archive/archive-target.ts';
import { writeArchive } from './archive/write-archive.ts';
import { CommandError } from './command.ts';
import type { Command } from './command.ts';
import { withInstallation } from './installation.ts';
import { countRows, showProgress } from './progress.ts';

export const backupCommand: Command = {
  name: 'backup',
  usage: '<file> [--with-secrets]',
  summary:
    'Write the whole installation to a file (.ndjson, or .ndjson.gz), or for - to standard output (gzip), also while it runs',
  options: { 'with-secrets': { type: 'boolean' } },
  words: 1,
  async run(context) {
    const [file = ''] = context.words;
    const with_secrets = context.options['with-secrets'] === true;
    const progress = showProgress();
    await withInstallation(context, async (database) => {
      const rows = await writeArchive(database, {
        file,
        game_id: null,
        with_secrets,
        onProgress: (count, table) => progress.update(null, `${countRows(count)} (${table})`),
      });
      // The backup is complete, even if this database is a replica that takes no writes.
      await recordBackup(database).catch(() =>
        context.tell('The time of this backup could not be recorded.'),
      );
      progress.done(`Backed up ${countRows(rows)} to ${nameTarget(file)}`);
    });
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  usage: '<file>',
  summary:
    'Load a backup, for - from standard input, into an empty installation, with as many groups of games as TENANT_GROUPS says',
  words: 1,
  async run(context) {
    const [file = ''] = context.words;
    const archive = await openArchiveFile(file);
    if (archive.header.overworld !== 'installation') {
      throw new CommandError(`${archive.name} holds one game: load it with overworld import-game.`);
    }
    const { tenant_groups } = context.config;
    const restoreHere = (database: Database) => restore(database, archive, tenant_groups);
    const rows = await withInstallation(context, restoreHere, { shared: false, creates: true });
    context.say(`Restored ${countRows(rows)}. Start the server with the same settings: npm start.`);
  },
};

/**
 * Opens an archive, for `-` from standard input.
 * @throws CommandError when there is no such file, or the file is not an archive.
 */
export async function openArchiveFile(file: string): Promise<ArchiveReader> {
  if (file === STANDARD_STREAM) return openArchive('Standard input', process.stdin, null);
  const { size } = await stat(file).catch(() => {
    throw new CommandError(`There is no file ${file}.`);
  });
  return openArchive(file, createReadStream(file), size);
}

/**
 * Restores a backup: creates the tables as the backup's release had them, loads the rows,
 * and then runs the later migrations. Either all rows are loaded or none.
 * @param wanted The number of groups for a new installation; null for as many as the backup has.
 * @returns the number of rows.
 */
async function restore(
  database: Database,
  { header, lines, progress }: ArchiveReader,
  wanted: number | null,
) {
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
  await migrateRestored(database);
  bar.done(`Loaded ${countRows(rows)}`);
  await database.execute(sql`ANALYZE`);
  return rows;
}

/** @throws CommandError when a migration cannot take over the restored rows. */
async function migrateRestored(database: Database): Promise<void> {
  try {
    await migrate(database);
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
