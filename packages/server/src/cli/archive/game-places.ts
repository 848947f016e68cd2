/**
 * Tells for each game of an archive the group into which this installation loads it. The rows of a group of
 * games are in one schema of the database.
 */
export interface GamePlaces {
  /** The number of groups of this installation. */
  readonly groups: number;
  /** True if rows from several groups of the archive may come into one group. */
  readonly merges: boolean;
  /** @param archived The group of the game in the archive. */
  groupOf(game_id: string, archived: number): number;
}

export const ONE_GROUP: GamePlaces = { groups: 1, merges: false, groupOf: () => 0 };

/**
 * Chooses the group of each game. Every game keeps its group if the installation has
 * as many groups as the archive. If the numbers of groups differ, games are spread
 * evenly over the groups, in the order in which the archive first names them.
 */
export function placeGames(archived_groups: number, groups: number): GamePlaces {
  if (archived_groups === groups) {
    return { groups, merges: false, groupOf: (_game_id, archived) => archived };
  }
  const places = new Map<string, number>();
  return {
    groups,
    merges: archived_groups > 1,
    groupOf(game_id) {
      const known = places.get(game_id);
      if (known !== undefined) return known;
      const group = places.size % groups;
      places.set(game_id, group);
      return group;
    },
  };
}
