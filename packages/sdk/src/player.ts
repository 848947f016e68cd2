/** Who plays. */
export interface Player {
  /** Id of who plays now; resolves as soon as the store has been read. */
  get(): Promise<string>;
}
