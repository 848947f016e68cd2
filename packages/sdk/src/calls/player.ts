/** The current player. */
export interface Player {
  /** Returns the id of the player at the time of the call. Resolves as soon as the store has been read. */
  get(): Promise<string>;
}
