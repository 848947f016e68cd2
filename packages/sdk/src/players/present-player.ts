import type { Logins } from './logins.ts';

/**
 * The player who plays now. It is the player whose id the game has given. Without such an id, it is the
 * player who has logged in, or else the anonymous player.
 */
export interface PresentPlayer {
  /** Id that the game has given; empty if it has given none. */
  given: string;
  /** Id of the player who plays now. */
  readonly id: string;
  /**
   * Waits until the store is read and a login in progress has ended.
   * @returns the id of the player at the time of the call.
   */
  get(): Promise<string>;
  /** Tells the game if another client has changed the player of the next start. */
  look(): void;
}

export const createPresentPlayer = (
  playerId: string,
  logins: Logins,
  client: { readonly ready: Promise<void> },
): PresentPlayer => {
  const player: PresentPlayer = {
    given: playerId,
    get id() {
      return player.given || logins.ownId();
    },
    get: async () => {
      const { given } = player;
      await client.ready;
      if (given) return given;
      await logins.logInByDevice();
      player.look();
      return logins.ownId();
    },
    // A player whose id the game gives is the same in all tabs, whatever login is in the store.
    look: () => {
      if (!player.given) void logins.look();
    },
  };
  return player;
};
