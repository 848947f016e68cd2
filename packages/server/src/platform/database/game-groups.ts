import type pg from 'pg';
import type { Database } from './database.ts';
import type { GroupLoad } from './group-load.ts';

/**
 * A database whose games are divided into groups. Each group is a schema with its own copy of all tables
 * of game data. The tables of the installation (`INSTALLATION_TABLES`) are in the schema `public`.
 * The methods that this object has from `Database` are for statements on the tables of the installation.
 */
export interface GroupedDatabase extends Database {
  /** Returns the database of one game, with the tables of the game's group and those of the installation. */
  ofGame(game_id: string): Database;
  /** The databases of all groups, for work that concerns all games. */
  readonly groups: readonly Database[];
  /** Counts of the statements of each group since this process began. Empty if there is only one group. */
  readonly group_loads: readonly GroupLoad[];
  /**
   * Returns the index in `groups` of the group of this game.
   * @throws if `learnGames` was not called for the game.
   */
  groupOf(game_id: string): number;
  /**
   * Reads and remembers the groups of these games. Must be called
   * before `groupOf`, because other servers may have made the games.
   */
  learnGames(game_ids: readonly string[]): Promise<void>;
}

/** Makes a database with one group, in the schema of the installation. All games belong to the group. */
export function inOneGroup(database: Database): GroupedDatabase {
  const learned = Promise.resolve();
  return Object.defineProperties(database as GroupedDatabase, {
    ofGame: { value: () => database },
    groups: { value: [database] },
    group_loads: { value: [] },
    groupOf: { value: () => 0 },
    learnGames: { value: () => learned },
  });
}

/** A service that has one part for each group, such as a batcher. */
export interface PerGroup<Service> {
  /**
   * Returns the part for a game. `learnGames` must have been called for the game.
   * In API calls, the authentication has called it.
   */
  ofGame(game_id: string): Service;
  /** One part for each of `database.groups`, in the same order. */
  readonly all: readonly Service[];
}

export function perGroup<Service>(
  database: GroupedDatabase,
  make: (group: Database, number: number) => Service,
): PerGroup<Service> {
  const all = database.groups.map(make);
  const [only] = all;
  return {
    all,
    ofGame: all.length === 1 ? () => only! : (game_id) => all[database.groupOf(game_id)]!,
  };
}

/** A function that sends a query, like the method `query` of the driver's pools and clients. */
export type Run = (
  query: pg.Query,
  onResult: (error: Error | undefined, result: pg.QueryResult) => void,
) => void;

/** Gives access to the connections of a pool. */
export interface Connections {
  /** Sends one statement on any connection. */
  run: Run;
  /** Lends a connection for a transaction. */
  take(): Promise<pg.PoolClient>;
  /** Lends a connection for any use, even for settings of its session. */
  lend(): Promise<pg.PoolClient>;
  /** Sends statements on a connection that `take` lent. */
  runOn(client: pg.PoolClient): Run;
  /** The suffix for the names of prepared statements. */
  name_suffix: string;
}

/** The types of the driver do not know this form of `query`. */
export const runOn = (connection: pg.Pool | pg.PoolClient): Run =>
  (connection.query as unknown as Run).bind(connection);

/** Gives access to all connections of a pool. Their sessions must all have the same search path. */
export const connectionsOf = (pool: pg.Pool): Connections => ({
  run: runOn(pool),
  take: () => pool.connect(),
  lend: () => pool.connect(),
  runOn,
  name_suffix: '',
});
