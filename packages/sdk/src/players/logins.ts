import type { OverworldError } from '../http/error.ts';
import type { SharedParts } from '../shared-parts.ts';
import { parseKept } from '../stores/kept-store.ts';
import type { KeptText } from '../stores/kept-store.ts';
import type { Identity } from './identity.ts';

/** The answer of the server to a login. */
export interface LoginAnswer {
  player_id: string;
  player_token: string;
  expires_at: string;
  refresh_token: string;
  created: boolean;
  providers: string[];
}

/** A session of a player who has logged in. */
interface LoginSession extends LoginAnswer {
  /** True if this is the session of the anonymous player. */
  is_device: boolean;
  /** Empty when the session has ended and the player must log in again. */
  refresh_token: string;
}

/** Logs the anonymous player in with the secret of the device, and renews sessions before they expire. */
export interface Logins {
  readonly session: LoginSession | undefined;
  /** Uses the session and the identity that were in the store. */
  open(session_text: KeptText, identity: Identity): void;
  /**
   * Logs the anonymous player in, unless there is already a session or a login runs. Never rejects.
   */
  logInByDevice(): Promise<void> | undefined;
  /** Returns the player token for a call about a player, or undefined if this player has not logged in. */
  tokenOf(player_id: string): string | undefined | Promise<string | undefined>;
  /** Gets a token of the player that differs from the given token; undefined if there is none. */
  renew(player_id: string, token: string | undefined): Promise<string | undefined>;
  /** Logs in by a call of the API. */
  enter(path: string, body: object, is_device: boolean): Promise<LoginAnswer>;
  leave(): Promise<void>;
  /** Stores the providers of the present session, also for the next start. */
  keep(providers: string[]): void;
}

/** A token is renewed this long before it expires, so it does not expire while a request is on its way. */
const MARGIN_MS = 60_000;
const PAUSE_MS = 30_000;

/** @param keep Stores the identity of the device. */
export function createLogins(
  { options, store, names, clock, tell, transport }: SharedParts,
  keep: (identity: Identity) => void,
): Logins {
  const { deviceLogin: isAutomatic = true } = options;
  const key = `${names.prefix}login`;
  let session: LoginSession | undefined;
  let identity: Identity | undefined;
  let running: Promise<void> | undefined;
  /** No login is tried automatically before this time. */
  let pause_until = 0;

  const set = (next: LoginSession | undefined) => {
    session = next;
    void (next ? store.set(key, JSON.stringify(next)) : store.erase(key));
  };
  const isFresh = ({ expires_at }: LoginSession) =>
    Date.parse(expires_at) - MARGIN_MS > Date.now() + clock.offset_ms;
  const enter = async (path: string, body: object, is_device: boolean) => {
    const answer = await transport.request<LoginAnswer>('POST', `/v1/players/${path}`, undefined, {
      body,
    });
    set({ ...answer, is_device });
    if (is_device && identity!.player_id !== answer.player_id) {
      identity!.player_id = answer.player_id;
      keep(identity!);
    }
    return answer;
  };
  const enterByDevice = async () => {
    const { player_id, device_id, secret } = identity!;
    const device = { provider: 'device', device_id, secret };
    try {
      await enter('login', { ...device, player_id }, true);
    } catch (error) {
      const failure = error as OverworldError;
      // Somebody else has claimed the player's id (boards show it to everybody), or the game refuses claims.
      if (failure.code !== 'conflict' && failure.code !== 'forbidden') throw error;
      tell.fail(failure);
      await enter('login', device, true);
    }
  };
  const refresh = async (last: LoginSession) => {
    // Another tab may already have renewed the session.
    const other = parseKept<LoginSession>(await store.read(key));
    if (other && other.refresh_token !== last.refresh_token && isFresh(other)) {
      session = other;
      return;
    }
    try {
      await enter('refresh', { refresh_token: last.refresh_token }, last.is_device);
    } catch (error) {
      if ((error as OverworldError).code !== 'unauthorized') throw error;
      if (last.is_device) return enterByDevice();
      // The game must ask the player to log in again. Until then, the anonymous player may not play in
      // this player's place.
      set({ ...last, refresh_token: '', player_token: '' });
      throw error;
    }
  };
  /** Runs one login at a time. All callers meanwhile get the login that is in progress. */
  const once = (run: () => Promise<void>) =>
    (running ??= run()
      .catch((error: OverworldError) => {
        // A server of an earlier release does not know this path.
        const isUnknown = error.code === 'not_found';
        pause_until = isUnknown ? Infinity : Date.now() + PAUSE_MS;
        if (!isUnknown) tell.fail(error);
      })
      .finally(() => (running = undefined)));
  const isPaused = () => Date.now() < pause_until;

  return {
    get session() {
      return session;
    },
    open(session_text, known) {
      identity = known;
      session = parseKept(session_text);
    },
    logInByDevice() {
      if (running || session || !isAutomatic || !identity || isPaused()) return running;
      return once(enterByDevice);
    },
    tokenOf(player_id) {
      const last = session;
      if (last?.player_id !== player_id || !last.refresh_token) return undefined;
      if (isFresh(last) || isPaused()) return last.player_token;
      return once(() => refresh(last)).then(() => session?.player_token);
    },
    async renew(player_id, token) {
      const last = session;
      const isOurs = player_id === (last ?? identity)?.player_id;
      const mayEnter = last ? last.refresh_token : isAutomatic;
      if (isOurs && mayEnter && last?.player_token === token && !isPaused()) {
        await once(() => (last ? refresh(last) : enterByDevice()));
      }
      const { player_token } = session?.player_id === player_id ? session : {};
      return player_token === token ? undefined : player_token;
    },
    enter,
    keep(providers) {
      if (session) set({ ...session, providers });
    },
    async leave() {
      const last = session;
      set(undefined);
      if (!last?.refresh_token) return;
      const body = { refresh_token: last.refresh_token };
      await transport.request('POST', '/v1/players/logout', undefined, { body });
    },
  };
}
