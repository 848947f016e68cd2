import { makeId } from '../http/platform.ts';
import type { Transport } from '../http/transport.ts';
import type { Logins } from '../players/logins.ts';
import { nullIf, OverworldError } from '../http/error.ts';
import type { PresentPlayer } from '../players/present-player.ts';

/** The result of a login of the player. */
export interface PlayerLogin {
  player_id: string;
  /** True if this login made a new player, or gave an existing player its first login. */
  created: boolean;
  /** The providers with which the player can log in. */
  providers: string[];
}

/**
 * The proof for a provider: `token` (for `custom`), `ticket` (for `steam`), or `id_token` and `nonce`
 * (for all other providers). Each token and ticket works once. Give the issuer the SHA-256 of the nonce, in
 * hexadecimal digits or base64url; here the nonce is plain.
 */
export interface Credentials {
  token?: string;
  ticket?: string;
  id_token?: string;
  nonce?: string;
}

/** The login of the player. An anonymous player is logged in automatically, with a secret of this device. */
export interface Account {
  /** True if calls carry a token of the present player. */
  readonly isLoggedIn: boolean;
  /** The providers with which the player can log in. Empty until they are known. */
  readonly providers: readonly string[];
  /**
   * Logs in as the player to whom a login at a provider belongs. The provider is `custom`, `steam`, or an
   * OpenID Connect issuer of the game. The player stays logged in across restarts. To keep the present
   * player instead, `link` the provider. Clients in other tabs go on as their players, and `onOtherPlayer` tells
   * them. The session of the present player stays on the device, so calls that wait can still be sent as this
   * player; `logout` ends it.
   * @throws OverworldError `unauthorized` if the provider's proof is wrong or expired, `not_found` if the
   * game has no such provider, `server_error` if the provider cannot be reached.
   * @example await overworld.account.loginWith('steam', { ticket });
   */
  loginWith(provider: string, credentials: Credentials): Promise<PlayerLogin>;
  /**
   * Ends the session. The game then continues as the anonymous player of this device. Calls and events of
   * the player that still wait are sent with the last token, which is valid for up to an hour, or when this
   * player logs in on this device again.
   * @example await overworld.account.logout();
   */
  logout(): Promise<void>;
  /**
   * Lets the present player also log in with this provider.
   * @returns all providers of the player.
   * @throws OverworldError `conflict` if the login belongs to another player. To play as that player,
   * call `loginWith`.
   * @example await overworld.account.link('google', { id_token, nonce });
   */
  link(provider: string, credentials: Credentials): Promise<string[]>;
  /**
   * Removes a provider from the present player. The last provider cannot be removed.
   * @example await overworld.account.unlink('google');
   */
  unlink(provider: string): Promise<string[]>;
  /**
   * Makes a code of twelve letters and digits, such as `K7PM-2XQD-9RTA`, with which another device can join
   * this player within ten minutes.
   * @example const { code } = await overworld.account.createMoveCode();
   */
  createMoveCode(): Promise<{ code: string; expires_at: string }>;
  /**
   * Joins this device to the player who made the code. The anonymous player of this device is given up.
   * @param code The code as the player types it: upper or lower case, with or without dashes and spaces.
   * @throws OverworldError `not_found` if the code is wrong or has expired.
   * @example await overworld.account.moveHere('K7PM-2XQD-9RTA');
   */
  moveHere(code: string): Promise<PlayerLogin>;
  /**
   * Gives the player token of the present player, for a server of yours that must know who this client is.
   * That server verifies the token with its server key. A token is valid for an hour; this one is renewed if
   * it would expire within a minute.
   * @throws OverworldError `unauthorized` if the player has not logged in.
   * @example socket.send(JSON.stringify({ token: await overworld.account.getPlayerToken() }));
   */
  getPlayerToken(): Promise<string>;
  /**
   * Gets all data of the present player. Needs a login of the last five minutes, like `erasePlayer`.
   * @example const data = await overworld.account.exportData();
   */
  exportData(): Promise<{ player: object; [kind: string]: unknown }>;
  /**
   * Erases the present player with all data, on the server and on this device; the game continues as a new
   * anonymous player. This cannot be undone. The anonymous player of this device is logged in again by
   * itself. A player who came by `loginWith` must have done that in the last five minutes. Calls that are made
   * meanwhile fail with `not_found`.
   * @throws OverworldError `forbidden` if that login is older, or was added to the player less than 24 hours
   * ago. Nothing is erased then.
   * @example await overworld.account.erasePlayer();
   */
  erasePlayer(): Promise<void>;
}

export const createAccount = (
  transport: Transport,
  player: PresentPlayer,
  logins: Logins,
  /**
   * Runs a function that erases a player, while nothing else is sent of the player. Then drops the waiting
   * events and calls of the player.
   */
  erase: (player_id: string, run: () => Promise<unknown>) => Promise<void>,
): Account => {
  const change = async (
    details: { body: object } | { method: 'DELETE'; query: { provider: string } },
  ) => {
    const player_id = await player.get();
    const answer = transport.ask<PlayerLogin>('players/link', 'providers', details, player_id);
    const { providers } = await answer;
    logins.keep(providers);
    return providers;
  };
  const enter = async (
    ...args: [path: string, body: object, is_device: boolean]
  ): Promise<PlayerLogin> => {
    await player.get();
    const { player_id, created, providers } = await logins.enter(...args);
    player.given = '';
    return { player_id, created, providers };
  };

  /** Makes a call that needs a new login. */
  const callAnew = async <Body>(
    call: string,
    gives: '' | (string & keyof Body),
    details?: { method: 'POST' },
  ) => {
    const player_id = await player.get();
    await logins.enterAgain();
    const path = `players/${encodeURIComponent(player_id)}/${call}`;
    return transport.ask<Body>(path, gives, { isLong: true, ...details }, player_id);
  };

  return {
    get isLoggedIn() {
      const session = logins.session();
      return !!session?.refresh_token && session.player_id === player.id;
    },
    get providers() {
      return logins.session()?.providers ?? [];
    },
    loginWith: (provider, credentials) => enter('login', { ...credentials, provider }, false),
    logout: async () => {
      player.given = '';
      await logins.leave();
    },
    link: (provider, credentials) => change({ body: { ...credentials, provider } }),
    unlink: (provider) => change({ method: 'DELETE', query: { provider } }),
    createMoveCode: async () => {
      const details = { body: {}, isOnce: true };
      return transport.ask('players/move-code', 'code', details, await player.get());
    },
    moveHere: async (code) => {
      // If the device has logged in before, its old identity belongs
      // to another player, so the device gets a new identity.
      const device = { device_id: makeId(), secret: makeId(32) };
      return enter('move', { code, provider: 'device', ...device }, true);
    },
    getPlayerToken: async () => {
      const token = await logins.tokenOf(await player.get());
      if (!token) throw new OverworldError('Not logged in', 'unauthorized');
      return token;
    },
    exportData: () => callAnew('export', 'player'),
    erasePlayer: async () => {
      const player_id = await player.get();
      await erase(player_id, async () => {
        // After a lost answer, the repeated call finds no player any more.
        await nullIf('Player not found', callAnew('erase', '', { method: 'POST' }));
        player.given = '';
        await logins.forget(player_id);
      });
    },
  };
};
