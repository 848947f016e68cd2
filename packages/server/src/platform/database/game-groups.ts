import type { Database } from './database.ts';

/**
 * A database whose games are spread over groups. A group is a schema with all tables of game data;
 * the tables of the installation (accounts, games, members, keys, mails) stay in `public`. Statements
 * on this handle itself are about the installation.
 */
export interface GroupedDatabase extends Database {
  /** The database of one game: sees the tables of the game's group and those of the installation. */
  ofGame(game_id: string): Database;
  /** The databases of all groups, for work over all games. */
  readonly groups: readonly Database[];
}

/** One group with all games, in the schema of the installation. */
export function inOneGroup(database: Database): GroupedDatabase {
  const groups = [database];
  return Object.defineProperties(database as GroupedDatabase, {
    ofGame: { value: () => database },
    groups: { value: groups },
  });
}
