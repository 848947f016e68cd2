import type { Database } from './database.ts';
import type { GroupLoad } from './group-load.ts';

/**
 * A database whose games are spread over groups. A group is a schema with all tables of game data; the tables
 * of the installation (`INSTALLATION_TABLES`) stay in `public`. Statements on this handle itself are about
 * the installation.
 */
export interface GroupedDatabase extends Database {
  /** The database of one game, with the tables of the game's group and those of the installation. */
  ofGame(game_id: string): Database;
  /** The databases of all groups, for work over all games. */
  readonly groups: readonly Database[];
  /** Counts of the statements of each group on these connections; empty if there is one group. */
  readonly group_loads: readonly GroupLoad[];
  /**
   * The place of the game's group in `groups`.
   * @throws when the group was not learned.
   */
  groupOf(game_id: string): number;
  /** Learns the groups of games, which other servers may have made; call before `groupOf`. */
  learnGames(game_ids: readonly string[]): Promise<void>;
}

/** Makes one group with all games, in the schema of the installation. */
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
   * The part for a game whose group was learned. Authentication learns the group of each call's game.
   */
  ofGame(game_id: string): Service;
  /** One part for each of `database.groups`, in the same order. */
  readonly all: readonly Service[];
}

export function perGroup<Service>(
  database: GroupedDatabase,
  make: (group: Database) => Service,
): PerGroup<Service> {
  const all = database.groups.map(make);
  const [only] = all;
  return {
    all,
    ofGame: all.length === 1 ? () => only! : (game_id) => all[database.groupOf(game_id)]!,
  };
}
