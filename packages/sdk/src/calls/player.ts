/** The present player. */
export interface Player {
  /** Id of the player at the time of the call. Resolves as soon as the store has been read. */
  get(): Promise<string>;
}
