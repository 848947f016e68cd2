import type { OverworldOptions } from '../options.ts';
import type { KeptStore, KeptText } from '../stores/kept-store.ts';
import { readIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import type { Logins } from './logins.ts';

/**
 * The player who plays now. It is the player whose id the game has given. Without such an id, it is the
 * player who has logged in, or else the anonymous player.
 */
export interface PresentPlayer {
  /** Id that the game has given; empty if it has given none. */
  given: string;
  /** Id of the player who has logged in, or of the anonymous player; empty until the store is read. */
  readonly own_id: string;
  /** Id of the player who plays now. */
  readonly id: string;
  /**
   * Waits until the store is read and a login in progress has ended.
   * @returns the id of the player at the time of the call.
   */
  get(): Promise<string>;
  /** Tells the game if another client has changed the player of the next start. */
  look(): void;
  /** Reads the identity and the login from texts that were loaded from the store. */
  open(text: KeptText, earlier_id: KeptText, login_text: KeptText): void;
  keep(identity: Identity): void;
  /** Makes a new anonymous player, if the erased player was the one of this device. */
  forget(player_id: string): void;
}

/** @param key Key of the identity in the store. */
export function createPresentPlayer(
  { playerId = '' }: OverworldOptions,
  store: KeptStore,
  key: string,
  logins: () => Logins,
  client: { readonly ready: Promise<void> },
): PresentPlayer {
  let identity: Identity | undefined;

  const player: PresentPlayer = {
    given: playerId,
    get own_id() {
      return logins().session?.player_id ?? identity?.player_id ?? '';
    },
    get id() {
      return player.given || player.own_id;
    },
    async get() {
      const { given } = player;
      await client.ready;
      if (given) return given;
      await logins().logInByDevice();
      player.look();
      return player.own_id;
    },
    // A player whose id the game gives is the same in all tabs, whatever login is in the store.
    look() {
      if (!player.given) void logins().look();
    },
    open(text, earlier_id, login_text) {
      identity ??= readIdentity(text, earlier_id);
      if (!playerId && !text) player.keep(identity);
      logins().open(login_text, identity);
    },
    keep: (known) => void store.set(key, JSON.stringify(known)),
    forget(player_id) {
      if (identity?.player_id !== player_id) return;
      player.keep(Object.assign(identity, readIdentity(null, null)));
    },
  };
  return player;
}
