import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createTimeZones } from '../../features/games/time-zone.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { findLastMigration } from '../../platform/database/migrate.ts';
import { sql } from '../../platform/database/sql.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { RENEWAL_CHANNEL } from '../../platform/database/notifications.ts';
import { loadRows } from '../archive/load-rows.ts';
import { withNewGame } from '../archive/load-transaction.ts';
import { openTarget } from '../archive/archive-target.ts';
import { writeArchive } from '../../features/backups/archive/write-archive.ts';
import { openArchiveFile } from '../archive/open-archive-file.ts';
import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withInstallation, withNewInstallation } from '../installation.ts';
import { countRows, showProgress } from '../progress.ts';
import { findGameName, findOwner, insertOwner } from './games-and-owners.ts';

export const exportGameCommand: Command = {
  name: 'export-game',
  usage: '<game-id> <file>',
  summary:
    'Write a game with its players and all their data to a file, or for - to standard output, without keys, secrets and members',
  words: 2,
  async run(context) {
    const [game_id = '', file = ''] = context.words;
    if (!isUuid(game_id)) throw new CommandError(`${game_id} is not the id of a game.`);
    await withInstallation(context, async (database) => {
      const name = await findGameName(database, game_id);
      if (name === null) throw new CommandError(`There is no game ${game_id}.`);
      const progress = showProgress();
      const target = openTarget(file);
      const { rows } = await writeArchive(database, target, {
        game_id,
        with_secrets: false,
        onProgress: (count, table) => progress.update(null, `${countRows(count)} (${table})`),
      });
      progress.done(`Exported ${name}: ${countRows(rows)} to ${target.name}`);
    });
  },
};

export const importGameCommand: Command = {
  name: 'import-game',
  usage: '<file> [--owner <e-mail>] [--new-id]',
  summary:
    'Load a game from a file, or for - from standard input; --new-id makes a copy beside the original',
  options: { owner: { type: 'string' }, 'new-id': { type: 'boolean' } },
  words: 1,
  async run(context) {
    const { words, options, say, config } = context;
    const [file = ''] = words;
    // Users may take rows out of the archive of a game, and put others in.
    const archive = await openArchiveFile(file, config, { may_be_edited: true });
    const { header, lines, progress } = archive;
    if (header.overworld !== 'game' || header.game_id === undefined) {
      throw new CommandError(
        `${archive.name} holds a whole installation: load it with overworld restore.`,
      );
    }
    const archived_id = header.game_id;
    const game_id = options['new-id'] === true ? randomUUID() : archived_id;
    await withNewInstallation(context, async (database) => {
      await refuseOtherSchema(database, header.migration);
      if ((await findGameName(database, game_id)) !== null) {
        throw new CommandError(
          `The game ${game_id} is here already: delete it first, or make a copy with --new-id.`,
        );
      }
      await refuseWhileErased(database, game_id);
      await refuseFormerGame(database, game_id);
      const owner = await findOwner(database, options.owner as string | undefined);
      const bar = showProgress();
      const rows = await withNewGame(database, game_id, async (client) => {
        const loaded = await loadRows(client, lines, {
          contents: { game_id: archived_id, with_secrets: false },
          game_id,
          onProgress: (count) => bar.update(progress(), countRows(count)),
        });
        const { time_zone } = await getLoadedGame(client, game_id);
        await createTimeZones(database)(time_zone);
        await insertOwner(client, game_id, owner);
        // Servers may still remember an earlier game with this id, so they are told to read the game again.
        await client.query(`SELECT pg_notify($1, '')`, [RENEWAL_CHANNEL]);
        return loaded;
      });
      bar.done(`Imported game ${game_id}: ${countRows(rows)}`);
      await database.execute(sql`ANALYZE`);
    });
    say('Its API keys are not in the file: make new ones in the dashboard.');
  },
};

/** @throws CommandError when the archive had no row of the game itself. */
async function getLoadedGame(client: pg.ClientBase, game_id: string) {
  const { rows } = await client.query<{ time_zone: string }>(
    'SELECT time_zone FROM games WHERE id = $1',
    [game_id],
  );
  if (rows[0] === undefined) {
    throw new CommandError('The archive cannot be loaded: it has no row of the game itself.');
  }
  return rows[0];
}

/**
 * Refuses the import while the eraser still deletes rows of an earlier game with this id:
 * the eraser would delete the imported rows too.
 */
async function refuseWhileErased(database: Database, game_id: string): Promise<void> {
  const deletion = await database.queryOne(
    sql`SELECT FROM game_deletions WHERE game_id = ${game_id}`,
  );
  if (deletion !== null) {
    throw new CommandError(
      `The game ${game_id} was deleted here, and the running server is still erasing it: try again in some minutes, or make a copy with --new-id.`,
    );
  }
}

/** Refuses the id of a deleted game: servers remember its group, but the imported game may be in another. */
async function refuseFormerGame(database: GroupedDatabase, game_id: string): Promise<void> {
  if (database.groups.length === 1) return;
  const deletion = await database.queryOne(sql`
    SELECT FROM audit_log WHERE game_id = ${game_id} AND action = 'delete_game' LIMIT 1`);
  if (deletion !== null) {
    throw new CommandError(
      `The game ${game_id} was deleted here, and an installation with several groups of games takes no game back under its id: make a copy with --new-id.`,
    );
  }
}

/**
 * Refuses rows from a database whose schema differs from the present one. A restored database can be migrated
 * as a whole, but not the rows of only one game.
 */
async function refuseOtherSchema(database: Database, migration: string): Promise<void> {
  const last = await findLastMigration(database);
  if (last !== migration) {
    throw new CommandError(
      `The game was exported by another release (schema ${migration}, here ${last}): bring that installation to this release first.`,
    );
  }
}
