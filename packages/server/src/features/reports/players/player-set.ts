/**
 * The players of a report, found by the hash of their id. For each player, the set knows the value that
 * decides the group of the player.
 */
export interface PlayerSet {
  /**
   * Takes the two halves of a hash, and returns the number of the value of this player; -1 if the player is
   * not in the set.
   */
  valueOf(high: number, low: number): number;
  /**
   * The values as JSON texts; the number of a value is its index. The entry null is for players without a
   * value.
   */
  readonly values: readonly (string | null)[];
  /** The number of players in the set. */
  readonly size: number;
}
