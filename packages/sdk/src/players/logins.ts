import { readIdentity } from './identity.ts';
import type { OverworldError } from '../http/error.ts';
import type { TokenSource } from '../http/transport.ts';
import type { SharedParts } from '../shared-parts.ts';
import { createTurns } from '../calls/turns.ts';
import type { KeptText } from '../stores/kept-store.ts';
import { parseKept } from '../stores/kept-store.ts';
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
interface LoginSession extends LoginAnswer, Partial<Identity> {
  player_id: string;
  /** True if this is the session of the anonymous player. */
  is_device: boolean;
  /** Empty when the session has ended and the player must log in again. */
  refresh_token: string;
}

/**
 * Logs the anonymous player in with the secret of the device, and renews sessions before they expire. The
 * store has the session of the next start's player under `login`, and those of other players under
 * `login:` and their ids: clients in other tabs still play as them, or calls of theirs wait.
 */
export interface Logins extends TokenSource {
  /** Returns the session of this client's player. */
  session(): LoginSession | undefined;
  /** Returns the id of the player who has logged in, or of the anonymous player. Empty until the store is read. */
  ownId(): string;
  /** Uses the texts of the identity and the session that were in the store. */
  open(identity_text: KeptText, earlier_id: KeptText, session_text: KeptText): void;
  /**
   * Logs the anonymous player in, unless there is already a session or a login runs. Never rejects.
   */
  logInByDevice(): Promise<void> | undefined;
  /** Logs in by a call of the API. The answer's player becomes the player of this client and the next start. */
  enter(path: string, body: object, is_device: boolean): Promise<LoginAnswer>;
  leave(): Promise<void>;
  /** Logs the device in again, if its player is the one of this client. */
  enterAgain(): Promise<void>;
  /** Forgets the session of an erased player. Makes a new anonymous player, if it was that one. */
  forget(player_id: string): Promise<void>;
  /** Tells the game if another client has changed the player of the next start. */
  look(): Promise<void>;
  /** Stores the providers of the present session, also for the next start. */
  keep(providers: string[]): void;
}

/** A token is renewed this long before it expires, so it does not expire while a request is on its way. */
const MARGIN_MS = 60_000;
const PAUSE_MS = 30_000;
/** A server without logins may be replaced while the game runs. */
const UNKNOWN_PAUSE_MS = 60 * 60 * 1_000;

export const createLogins = (parts: SharedParts): Logins => {
  const { options, store, names, clock, tell, transport, absent } = parts;
  const { deviceLogin: isAutomatic = true, playerId } = options;
  const key = `${names.prefix}login`;
  /** The sessions of all players that this client has asked for; undefined for those without one. */
  const sessions = new Map<string, LoginSession | undefined>();
  /** The player who has logged in with this client. */
  let own_id: string | undefined;
  let identity: Identity | undefined;
  /** The player of the next start, as last told. */
  let told_id: string | undefined;
  /** The login of each player that is in progress. */
  const running = new Map<string, Promise<void>>();
  /** The times before which no login of a player is tried automatically. */
  const pauses = new Map<string, number>();
  const turns = createTurns();

  const read = async (at: string) => parseKept<LoginSession>(await store.read(at));
  const placeOf = (player_id: string) => `${key}:${player_id}`;
  const find = async (player_id: string) => {
    const next = await read(key);
    return next?.player_id === player_id ? next : read(placeOf(player_id));
  };
  const own = () => sessions.get(own_id!);
  const ownId = () => own_id ?? identity?.player_id ?? '';
  const setIdentity = (next: Identity) => {
    identity = next;
    void store.keep(names.identity, next);
  };
  /**
   * Stores a session.
   * @param replaced The player whom this one replaces as the player of the next start; true for any player.
   * If false, the player of the next start stays.
   */
  const set = (session: LoginSession, replaced: string | boolean = false) => {
    const { player_id, is_device, refresh_token } = session;
    sessions.set(player_id, session);
    return turns('', async () => {
      const last = await read(key);
      const isNext =
        replaced === true || (last ? [player_id, replaced].includes(last.player_id) : is_device);
      if (replaced === true && last) await store.keep(placeOf(last.player_id), last);
      if (isNext || refresh_token) {
        await store.keep(isNext ? key : placeOf(player_id), session);
      }
      if (isNext || !refresh_token) await store.erase(placeOf(player_id));
      if (replaced && (replaced === true || !own_id)) own_id = player_id;
    });
  };
  const isFresh = ({ expires_at }: LoginSession) =>
    Date.parse(expires_at) - MARGIN_MS > Date.now() + clock.ahead_ms;
  /**
   * Makes the device's identity that of a session. The session has the device's login too, so a crash between
   * the two writes loses nothing.
   */
  const takeDevice = ({ player_id, device_id, secret }: LoginSession) => {
    if (!secret || (secret === identity!.secret && player_id === identity!.player_id)) return;
    setIdentity({ player_id, device_id: device_id!, secret });
  };
  const enter = async (
    path: string,
    body: object,
    is_device: boolean,
    replaced: string | boolean = true,
  ) => {
    const answer = await transport.ask<LoginAnswer>(`players/${path}`, 'player_token', { body });
    const { device_id, secret } = (is_device ? body : {}) as Partial<Identity>;
    absent.delete(answer.player_id);
    await set({ ...answer, is_device, device_id, secret }, replaced);
    if (replaced) takeDevice(sessions.get(answer.player_id)!);
    return answer;
  };
  const enterByDevice = async () => {
    const { player_id, device_id, secret } = identity!;
    const device = { provider: 'device', device_id, secret };
    const logIn = (body: object) => enter('login', body, true, player_id);
    await logIn({ ...device, player_id }).catch((failure: OverworldError) => {
      // Somebody else has claimed the player's id (boards show it to everybody), or the game refuses claims.
      if (!['conflict', 'forbidden'].includes(failure.code)) throw failure;
      tell.fail(failure);
      return logIn(device);
    });
  };
  /** Tells whether the device may log in by itself in place of this session. */
  const mayEnter = (session: LoginSession | undefined) =>
    isAutomatic && identity && session?.is_device !== false;
  /** Gets a session of the player from the store or from the server. */
  const freshen = async (player_id: string, isRefused: boolean) => {
    const stored = await find(player_id);
    const before = sessions.get(player_id);
    // Another tab may already have renewed the session. An earlier refresh token would then end it.
    const last = stored && !(before && before.expires_at > stored.expires_at) ? stored : before;
    sessions.set(player_id, last);
    const isNew = last?.player_token !== before?.player_token;
    if (last && isFresh(last) && (isNew || !isRefused)) return;
    let failure: OverworldError | undefined;
    if (last?.refresh_token) {
      const { refresh_token, is_device } = last;
      try {
        await enter('refresh', { refresh_token }, is_device, false);
        return;
      } catch (error) {
        failure = error as OverworldError;
        if (failure.code !== 'unauthorized') throw error;
        // The player may have logged in meanwhile.
        if (sessions.get(player_id) !== last) return;
        // The game must ask the player to log in again. Until then, the anonymous player may not play in
        // this player's place.
        await set({ ...last, refresh_token: '', player_token: '' });
      }
    }
    const isOfDevice = player_id === identity?.player_id && mayEnter(last);
    if (isOfDevice && (failure || isRefused)) return enterByDevice();
    if (failure) throw failure;
  };
  /** Runs one login of a player at a time. All callers meanwhile get the login that is in progress. */
  const once = (player_id: string, run: () => Promise<void>) => {
    const isPaused = Date.now() < (pauses.get(player_id) ?? 0);
    if (!isPaused && !running.has(player_id)) {
      const login = run()
        .catch((error: OverworldError) => {
          // A server of an earlier release does not know this path.
          const isUnknown = error.code === 'not_found';
          pauses.set(player_id, Date.now() + (isUnknown ? UNKNOWN_PAUSE_MS : PAUSE_MS));
          if (!isUnknown) tell.fail(error);
        })
        .finally(() => running.delete(player_id));
      running.set(player_id, login);
    }
    return running.get(player_id);
  };
  /** Ends the session of this client. @returns its refresh token. */
  const drop = (isErased: boolean) =>
    turns('', async () => {
      const last = own();
      own_id = undefined;
      if (!last) return;
      const { player_id, refresh_token } = last;
      // Its token is valid for up to an hour. With it, the calls and events that still wait are sent, unless
      // the player was erased.
      sessions.set(player_id, isErased ? undefined : { ...last, refresh_token: '' });
      if ((await read(key))?.player_id === player_id) await store.erase(key);
      await store.erase(placeOf(player_id));
      return refresh_token;
    });

  return {
    session: own,
    ownId,
    open: (identity_text, earlier_id, session_text) => {
      // Tracking may be enabled again later. The client then goes on as its player.
      if (identity) return;
      identity = readIdentity(identity_text, earlier_id);
      if (!playerId && !identity_text) setIdentity(identity);
      const session = parseKept<LoginSession>(session_text);
      own_id = session?.player_id;
      sessions.set(ownId(), session);
      if (session) takeDevice(session);
    },
    logInByDevice: () => {
      if (!own_id && mayEnter(undefined)) return once(identity!.player_id, enterByDevice);
    },
    tokenOf: async (player_id, refused) => {
      const tokenNow = () => sessions.get(player_id)?.player_token ?? '';
      const last = sessions.get(player_id);
      const isRefused = refused === tokenNow();
      const isOver = last ? last.refresh_token && !isFresh(last) : !sessions.has(player_id);
      if (isRefused || isOver) await once(player_id, () => freshen(player_id, isRefused));
      return tokenNow();
    },
    enter,
    keep: (providers) => {
      const session = own();
      if (session) void set({ ...session, providers });
    },
    leave: async () => {
      const refresh_token = await drop(false);
      if (refresh_token) await transport.ask('players/logout', '', { body: { refresh_token } });
    },
    enterAgain: async () => {
      if (mayEnter(own())) await enterByDevice();
    },
    forget: async (player_id) => {
      await drop(true);
      if (identity?.player_id === player_id) setIdentity(readIdentity(null, null));
    },
    look: () =>
      turns('', async () => {
        const next_id = (await read(key))?.player_id ?? identity?.player_id;
        if (next_id && next_id !== told_id && next_id !== ownId()) tell.other(next_id);
        told_id = next_id;
      }),
  };
};
