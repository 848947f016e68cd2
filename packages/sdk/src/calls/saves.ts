import type { Save, SaveSlot } from '../answers.ts';
import { hashOf, parseKept } from '../stores/kept-store.ts';
import type { OverworldError } from '../http/error.ts';
import type { ServerClock } from '../http/server-clock.ts';
import { keyOf } from './kept-calls.ts';
import { wait } from '../http/platform.ts';
import type { Transport } from '../http/transport.ts';
import { backOff } from '../http/transport.ts';
import { nullIf } from '../http/error.ts';
import type { KeptCall, KeptCalls, MakeCall } from './kept-calls.ts';
import type { Player } from './player.ts';
import { resolveConflict } from './save-conflict.ts';
import type { ConflictPolicy } from './save-conflict.ts';

/** The save on the server after a call. */
export interface SaveResult<Data> extends Save<Data> {
  /** True if there was a conflict, so `data` may differ from the data of the call. */
  wasConflict: boolean;
}

/** A save that was loaded. */
export interface LoadedSave<Data> extends Save<Data> {
  /** True if the save still waits on this device. In that case `version` is the version before this save. */
  isKept: boolean;
}

/** The player's cloud saves: any JSON object of up to 100 KB, one for each slot. */
export interface Saves {
  /**
   * Loads the save; null when there is none. A save that waits for the network is sent first. If it cannot
   * be sent, this waiting save itself is loaded.
   * @param options `slot` is a name of your own, up to 64 characters; without it `main`.
   * @example
   * const save = await overworld.saves.load<GameState>();
   * if (save) state = save.data;
   */
  load<Data extends object = { [key: string]: unknown }>(options?: {
    slot?: string;
  }): Promise<LoadedSave<Data> | null>;
  /**
   * Saves, if the server still has the version that this client last loaded or saved (or `version`).
   * Otherwise `onConflict` decides. Resolves when the data is stored. A client sends one save at a time.
   * @throws OverworldError with `isKept` without a network: the save is sent later, unless a later save
   * of the slot replaces it.
   * @throws OverworldError `conflict` if the server has another version and no `onConflict` is given.
   * Then nothing is stored, and every save fails like this until the next `load`. With `onConflict`, this
   * error is thrown only after eight conflicts in a row.
   * @example
   * const { data } = await overworld.saves.save(state, {
   *   onConflict: ({ ours, theirs }) => ({
   *     ...theirs,
   *     level: Math.max(ours.level, theirs.level),
   *   }),
   * });
   * state = data;
   */
  save<Data extends object>(
    data: Data,
    options?: { version?: number; onConflict?: ConflictPolicy<Data>; slot?: string },
  ): Promise<SaveResult<Data>>;
  /**
   * Deletes the save; it is no error if there is none. If the answer is lost, the call is not repeated,
   * because another device may have saved by then.
   * @example await overworld.saves.delete();
   */
  delete(options?: { slot?: string }): Promise<void>;
  /**
   * Lists the slots that have a save: first the main slot, then the others by name. Saves that wait for the
   * network are sent first.
   * @example const slots = await overworld.saves.list();
   */
  list(): Promise<SaveSlot[]>;
}

/** The last version that this client knows of a slot. */
interface Known {
  version: number;
  /** The data of that version as JSON; undefined if only the version is known. */
  text?: string;
}

/** A kept save, with the version on which it is based. */
interface SaveCall extends KeptCall {
  text: string;
  base: Known;
  /** When the save was made, in milliseconds by the server's clock. */
  saved_at: number;
  /** The conflict policy. The store does not have it if it is a function. */
  policy: ConflictPolicy<object> | undefined;
  /** Names the version of the game that made the save, if a header can carry it. */
  headers?: Record<string, string>;
  /** Hashes of earlier saves of the slot that the server may have stored, although no answer came. */
  earlier: string[];
}

/** Body of the answer when the server refuses a save. */
interface Conflict {
  server_version: number;
  server_data: object;
  updated_at: string;
}

/**
 * The most attempts to store a save. An attempt fails if another device has saved meanwhile. The last pause
 * between attempts is half a second at most, and each earlier pause is half as long as the next one.
 */
const MAX_ROUNDS = 8;
const MAX_EARLIER = 10;
/** The slot of calls that name no slot. */
const MAIN_SLOT = 'main';

export const createSaves = (
  transport: Transport,
  player: Player,
  clock: ServerClock,
  kept: KeptCalls,
  /** For saves that have no conflict policy. */
  default_policy?: ConflictPolicy<object>,
  appVersion = '',
): Saves => {
  // A request could not carry other characters in a header.
  const headers = /^[!-~][ -~]{0,63}$/.test(appVersion)
    ? { 'overworld-app-version': appVersion }
    : undefined;
  /** The version that this client knows of each slot. */
  const known = new Map<string, Known>();
  /** Hashes of saves of each slot that the server may have stored, although no answer came. */
  const unsure = new Map<string, string[]>();
  /** The calls that this client made, and calls from before a restart whose saves this client loaded. */
  const calls = new WeakSet<KeptCall>();

  kept.makers.saves = (async (call: SaveCall, isAwaited: boolean): Promise<SaveResult<object>> => {
    const { player_id, target } = call;
    const onConflict = call.policy ?? default_policy;
    const key = keyOf(call);
    const seen = known.get(key);
    // If `seen` is the previous save of this client, this save is based on it. If `seen` is the result of a
    // conflict, this save is not based on it, because the game made this save before.
    const isNext = seen && call.earlier.includes(hashOf(seen.text!));
    let { version, text: base } = isNext ? seen : call.base;
    let { text } = call;
    let wasConflict = false;

    for (let round = 1; ; round++) {
      const finish = (stored_text: string, stored_version: number, updated_at: string) => {
        // A save that the game does not know is left out, so the game's next save gets a conflict with it.
        if (isAwaited || (calls.has(call) && !wasConflict)) {
          unsure.delete(key);
          known.set(key, { version: stored_version, text: stored_text });
        }
        const stored = JSON.parse(stored_text) as object;
        return { data: stored, version: stored_version, updated_at, wasConflict };
      };
      const data = JSON.parse(text) as object;
      try {
        const body = { player_id, slot: target || undefined, version, data };
        const details = { method: 'PUT', body, headers: call.headers } as const;
        const stored = await transport.ask<Save>('saves', 'version', details, player_id);
        return finish(text, stored.version, stored.updated_at);
      } catch (error) {
        const { code, body } = error as OverworldError;
        if (code !== 'conflict') {
          // If the store is full, nothing else remembers this save.
          if (calls.has(call)) unsure.set(key, [...call.earlier, hashOf(text)]);
          throw error;
        }
        const { server_version, server_data, updated_at } = body as unknown as Conflict;
        const theirs = JSON.stringify(server_data);
        if (theirs !== text && !call.earlier.includes(hashOf(theirs))) {
          if (!onConflict) throw error;
          const conflict = {
            ours: data,
            theirs: server_data,
            base: parseKept<object>(base),
            version: server_version,
            updated_at,
          };
          text = JSON.stringify(await resolveConflict(onConflict, conflict, call.saved_at));
          wasConflict = true;
        }
        // Either the policy chose the data on the server, or that data is ours: it was stored before,
        // and the answer was lost.
        if (theirs === text) return finish(theirs, server_version, updated_at);
        if (round === MAX_ROUNDS) throw error;
        base = theirs;
        version = server_version;
        await wait(backOff(round + 2 - MAX_ROUNDS, 500));
      }
    }
  }) as MakeCall;

  const like = (player_id: string, slot = MAIN_SLOT) =>
    ({ kind: 'saves', player_id, target: slot === MAIN_SLOT ? '' : slot }) as const;
  const request = <Body>(
    { player_id, target }: KeptCall,
    gives: '' | (string & keyof Body),
    details?: { method: 'DELETE'; isOnce: true },
  ) => {
    const query = { player_id, slot: target || undefined };
    const asked = transport.ask<Body>('saves', gives, { query, ...details }, player_id);
    return nullIf('No save found', asked);
  };

  return {
    load: async <Data extends object>({ slot }: { slot?: string } = {}) => {
      const save = like(await player.get(), slot);
      return kept.after('saves', async () => {
        const waiting = kept.findCall(save) as SaveCall | undefined;
        if (waiting) {
          calls.add(waiting);
          const { text, base, saved_at } = waiting;
          const updated_at = new Date(saved_at).toISOString();
          const data = JSON.parse(text) as Data;
          return { data, version: base.version, updated_at, isKept: true };
        }
        const loaded = await request<Save<Data>>(save, 'version');
        known.delete(keyOf(save));
        if (!loaded) return null;
        const { version } = loaded;
        known.set(keyOf(save), { version, text: JSON.stringify(loaded.data) });
        return { ...loaded, isKept: false };
      });
    },
    save: async <Data extends object>(
      data: Data,
      options: { version?: number; onConflict?: ConflictPolicy<Data>; slot?: string } = {},
    ) => {
      // The game may change the object while earlier saves are still being sent.
      const text = JSON.stringify(data);
      const saved_at = Date.now() + clock.ahead_ms;
      const save = like(await player.get(), options.slot);
      const waiting = kept.findCall(save, true) as SaveCall | undefined;
      const last = waiting && calls.has(waiting) ? waiting : undefined;
      const { onConflict: policy, version } = options;
      const seen = known.get(keyOf(save)) ?? last?.base ?? { version: 0 };
      const base = (version ?? seen.version) === seen.version ? seen : { version: version! };
      const hashes = last ? [...last.earlier, hashOf(last.text)] : unsure.get(keyOf(save));
      const earlier = hashes?.slice(-MAX_EARLIER) ?? [];
      const call = { ...save, text, base, saved_at, policy, earlier, headers };
      calls.add(call);
      return kept.make<SaveResult<Data>>(call);
    },
    delete: async ({ slot } = {}) => {
      const save = like(await player.get(), slot);
      await kept.after('saves', async () => {
        kept.erase(save);
        await request(save, '', { method: 'DELETE', isOnce: true });
        known.delete(keyOf(save));
      });
    },
    list: async () => {
      const player_id = await player.get();
      return kept.after('saves', async () => {
        const query = { player_id };
        type Answer = { slots: SaveSlot[] };
        return (await transport.ask<Answer>('saves/slots', 'slots', { query }, player_id)).slots;
      });
    },
  };
};
