/** Who plays. */
export interface Player {
  /** Id of the player, as soon as the store has been read. */
  get(): Promise<string>;
}
