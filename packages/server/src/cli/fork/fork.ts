import { randomInt, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { atOneMoment } from '../../features/backups/archive/moment.ts';
import { listGroups } from '../../features/backups/archive/visit-tables.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadRows } from '../archive/load-rows.ts';
import { withNewGame } from '../archive/load-transaction.ts';
import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { findOwner, insertOwner } from '../games/games-and-owners.ts';
import { rebuildAnalytics } from '../games/rebuild-analytics.ts';
import { withMigratedInstallation } from '../installation.ts';
import { countRows, groupDigits, showProgress } from '../progress.ts';
import { readForkName, readGameId, readNames, readSeed, readShare } from './fork-options.ts';
import { createReplacer } from './fork-players.ts';
import { readGame } from './read-game.ts';
import type { ChosenPlayers } from './read-game.ts';

interface Source {
  id: string;
  name: string;
  player_name_property: string | null;
}

export const forkCommand: Command = {
  name: 'fork',
  usage:
    '<game-id> [--name <name>] [--owner <e-mail>] [--players <share>%] [--seed <number>] [--keep <properties>]',
  summary:
    'Make a game with the definitions of another one to try things in, and with a share of its players under other ids and names',
  options: {
    name: { type: 'string' },
    owner: { type: 'string' },
    players: { type: 'string' },
    seed: { type: 'string' },
    keep: { type: 'string' },
  },
  words: 1,
  async run(context) {
    const { words, options, say, tell } = context;
    const game_id = readGameId(words[0]);
    const share = readShare(options);
    const seed = readSeed(options, () => randomInt(1_000_000_000));
    await withMigratedInstallation(context, async (database) => {
      const source = await getGame(database, game_id);
      const name = readForkName(options, source.name);
      const owner = await findOwner(database, options.owner as string | undefined);
      const players =
        share === null ? null : choosePlayers(source, share, seed, readNames(options));
      const fork_id = randomUUID();
      const progress = showProgress();
      const rows = await copyGame(database, source, {
        fork_id,
        name,
        owner,
        players,
        onProgress: (count) => progress.update(null, countRows(count)),
      });
      progress.done(`Made ${name}: ${countRows(rows)}`);
      if (players !== null) {
        await database.learnGames([fork_id]);
        await rebuildAnalytics(database, { id: fork_id, name });
        const taken = sql`players WHERE game_id = ${fork_id}`;
        const count = await selectCount(database.ofGame(fork_id), taken);
        tell(`It has ${groupDigits(count)} players of ${source.name} under other ids and names.`);
      }
      say(fork_id);
    });
  },
};

/** @throws CommandError when there is no such game. */
async function getGame(database: GroupedDatabase, game_id: string): Promise<Source> {
  const game = await database.queryOne<Source>(
    sql`SELECT id, name, player_name_property FROM games WHERE id = ${game_id}`,
  );
  if (game === null) throw new CommandError(`There is no game ${game_id}.`);
  return game;
}

const choosePlayers = (
  { player_name_property: name_property }: Source,
  share: number,
  seed: number,
  kept_properties: string[],
): ChosenPlayers => ({ share, seed, replacer: createReplacer({ name_property, kept_properties }) });

interface CopyOptions {
  fork_id: string;
  name: string;
  /** The account that owns the fork; null for nobody. */
  owner: string | null;
  players: ChosenPlayers | null;
  onProgress: (rows: number) => void;
}

/**
 * Copies a game in one transaction, as it is at one moment. No row of the game is locked.
 * @returns the number of rows.
 */
async function copyGame(
  database: GroupedDatabase,
  { id: game_id, name: source_name }: Source,
  { fork_id, name, owner, players, onProgress }: CopyOptions,
): Promise<number> {
  const groups = await listGroups(database, game_id);
  return withNewGame(database, fork_id, async (client) => {
    let rows = 0;
    await atOneMoment(database, groups, async (moment) => {
      const lines = readGame(moment, { game_id, groups, players });
      rows = await loadRows(client, lines, { contents: null, game_id: fork_id, onProgress });
    });
    const renamed = await client.query('UPDATE games SET name = $1 WHERE id = $2', [name, fork_id]);
    if (renamed.rowCount === 0) throw new CommandError(`There is no game ${game_id}.`);
    if (players !== null) await completePlayers(client, fork_id);
    await insertOwner(client, fork_id, owner);
    await insertEntry(client, game_id, 'fork_game', source_name, {
      fork_id,
      name,
      players: players?.share ?? 0,
    });
    await insertEntry(client, fork_id, 'create_game', name, { forked_from: game_id });
    return rows;
  });
}

/** Makes what follows from the rows of players. */
async function completePlayers(client: pg.ClientBase, fork_id: string): Promise<void> {
  await client.query(
    `UPDATE leaderboard_seasons AS season SET total_entries = counted.entries
     FROM (
       SELECT environment, board_name, season,
         (SELECT count(*) FROM leaderboard_entries AS entry
          WHERE entry.game_id = $1 AND entry.environment = seasons.environment
            AND entry.board_name = seasons.board_name AND entry.season = seasons.season) AS entries
       FROM leaderboard_seasons AS seasons WHERE game_id = $1) AS counted
     WHERE season.game_id = $1 AND season.environment = counted.environment
       AND season.board_name = counted.board_name AND season.season = counted.season`,
    [fork_id],
  );
  // If the command ends before the rollups are made, a server makes them.
  await client.query('INSERT INTO event_holds (game_id) VALUES ($1)', [fork_id]);
}

const insertEntry = (
  client: pg.ClientBase,
  game_id: string,
  action: string,
  target: string,
  details: object,
) =>
  client.query('INSERT INTO audit_log (game_id, action, target, details) VALUES ($1, $2, $3, $4)', [
    game_id,
    action,
    target,
    JSON.stringify(details),
  ]);
