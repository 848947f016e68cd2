import type { Database } from './database.ts';
import type { GroupedDatabase } from './game-groups.ts';
import { learnGames } from './group-directory.ts';
import type { GroupDirectory } from './group-directory.ts';
import type { GroupLoad } from './group-load.ts';

/**
 * Makes a database with several groups.
 * @param installation A database that sees only the tables of the installation.
 * @param groups One database for each group, which sees the tables of the group and of the installation.
 */
export function inGroups(
  installation: Database,
  groups: readonly Database[],
  directory: GroupDirectory,
  group_loads: readonly GroupLoad[],
): GroupedDatabase {
  const { known } = directory;

  const find = async (game_id: string): Promise<Database> => {
    await learnGames(installation, directory, [game_id]);
    // A game that does not exist has no rows in any table.
    return groups[known.get(game_id) ?? 0]!;
  };

  /**
   * Makes a database for a game whose group is not known yet. This database looks
   * up the group before each statement.
   */
  const ofUnknownGame = (game_id: string): Database => ({
    query: async (statement) => (await find(game_id)).query(statement),
    queryOne: async (statement) => (await find(game_id)).queryOne(statement),
    execute: async (statement) => (await find(game_id)).execute(statement),
    formFor: installation.formFor,
    transaction: async (work) => (await find(game_id)).transaction(work),
    runAtomically: async (work) => (await find(game_id)).runAtomically(work),
    connect: async () => (await find(game_id)).connect(),
    get load() {
      return installation.load;
    },
    close: () => installation.close(),
  });

  return Object.defineProperties(installation as GroupedDatabase, {
    ofGame: {
      value(game_id: string) {
        const group = known.get(game_id);
        return group === undefined ? ofUnknownGame(game_id) : groups[group];
      },
    },
    groups: { value: groups },
    group_loads: { value: group_loads },
    groupOf: {
      value(game_id: string) {
        const group = known.get(game_id);
        if (group === undefined) throw new Error(`The group of game ${game_id} was not learned`);
        return group;
      },
    },
    learnGames: {
      value: (game_ids: readonly string[]) => learnGames(installation, directory, game_ids),
    },
  });
}
