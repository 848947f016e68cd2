import type { Save } from '../answers.ts';
import type { OverworldError } from '../http/error.ts';
import type { Player } from './player.ts';
import { resolveConflict } from './save-conflict.ts';
import type { ConflictPolicy } from './save-conflict.ts';
import type { ServerClock } from '../http/server-clock.ts';
import type { Transport } from '../http/transport.ts';
import { createTurns } from './turns.ts';

/** The save on the server after a call. */
export interface SaveResult<Data> extends Save<Data> {
  /** Whether there was a conflict, so that `data` may differ from the data of the call. */
  wasConflict: boolean;
}

/** The player's cloud save: any JSON object of up to 100 KB. */
export interface Saves {
  /**
   * Loads the save; null when there is none.
   * @example
   * const save = await overworld.saves.load<GameState>();
   * if (save) state = save.data;
   */
  load<Data extends object = { [key: string]: unknown }>(): Promise<Save<Data> | null>;
  /**
   * Saves, if the server still has the version that was loaded or saved here last (or `version`). If
   * not, `onConflict` decides. Resolves when the data is stored. A client sends one save at a time.
   * @throws OverworldError `conflict` if the server has another version and no `onConflict` is given.
   * Then nothing is stored, and every save fails like this until the next `load`.
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
    options?: { version?: number; onConflict?: ConflictPolicy<Data> },
  ): Promise<SaveResult<Data>>;
  /**
   * Deletes the save; it is no error if there is none. If the answer is lost, the call is not tried
   * again, because another device may have saved by then.
   * @example await overworld.saves.delete();
   */
  delete(): Promise<void>;
}

/** The last version that this client knows. */
interface Known {
  player_id: string;
  version: number;
  /** Its data as JSON. */
  text: string;
}

/** Body of the answer to a refused save. */
interface Conflict<Data> {
  server_version: number;
  server_data: Data;
  updated_at: string;
}

/** Each further round means that another device saved between our last answer and our save. */
const MAX_ROUNDS = 20;

export function createSaves(transport: Transport, player: Player, clock: ServerClock): Saves {
  let known: Known | undefined;
  const inTurn = createTurns(player);

  const save = async <Data extends object>(
    player_id: string,
    first_text: string,
    options: { version?: number; onConflict?: ConflictPolicy<Data> },
    saved_at: number,
  ): Promise<SaveResult<Data>> => {
    const start = known?.player_id === player_id ? known : undefined;
    let { version = start?.version ?? 0 } = options;
    let base = start?.version === version ? start.text : undefined;
    let text = first_text;

    for (let round = 1; ; round++) {
      const wasConflict = round > 1;
      const finish = (stored_version: number, stored_text: string, updated_at: string) => {
        known = { player_id, version: stored_version, text: stored_text };
        const data = JSON.parse(stored_text) as Data;
        return { data, version: stored_version, updated_at, wasConflict };
      };
      try {
        const body = `{"player_id":${JSON.stringify(player_id)},"version":${version},"data":${text}}`;
        const call = { method: 'PUT', path: '/v1/saves', body } as const;
        const answer = await transport.request<{ version: number; updated_at: string }>(
          call,
          'safe',
        );
        return finish(answer.body.version, text, answer.body.updated_at);
      } catch (error) {
        const { code, body } = error as OverworldError;
        if (code !== 'conflict') throw error;
        const { server_version, server_data, updated_at } = body as unknown as Conflict<Data>;
        const theirs = JSON.stringify(server_data);
        // The save on the server is ours: it was stored before, and the answer was lost.
        if (theirs === text) return finish(server_version, theirs, updated_at);
        if (!options.onConflict || round === MAX_ROUNDS) throw error;
        const resolved = await resolveConflict(
          options.onConflict,
          {
            ours: JSON.parse(text) as Data,
            theirs: server_data,
            base: base === undefined ? undefined : (JSON.parse(base) as Data),
            version: server_version,
            updated_at,
          },
          saved_at,
        );
        text = JSON.stringify(resolved);
        if (text === theirs) {
          return { ...finish(server_version, theirs, updated_at), wasConflict: true };
        }
        base = theirs;
        version = server_version;
      }
    }
  };

  return {
    load: <Data extends object>() =>
      inTurn(async (player_id) => {
        try {
          const call = { method: 'GET', path: '/v1/saves', query: { player_id } } as const;
          const { body } = await transport.request<Save<Data>>(call, 'safe');
          known = { player_id, version: body.version, text: JSON.stringify(body.data) };
          return body;
        } catch (error) {
          if (!isNoSave(error)) throw error;
          known = undefined;
          return null;
        }
      }),
    save: async (data, options = {}) => {
      // The game may change the object while earlier saves are sent.
      const text = JSON.stringify(data);
      const saved_at = Date.now() + clock.offset_ms;
      return inTurn((player_id) => save(player_id, text, options, saved_at));
    },
    delete: () =>
      inTurn(async (player_id) => {
        try {
          await transport.request(
            { method: 'DELETE', path: '/v1/saves', query: { player_id } },
            'refused',
          );
        } catch (error) {
          if (!isNoSave(error)) throw error;
        }
        known = undefined;
      }),
  };
}

/** A 404 of a proxy does not mean that there is no save. */
const isNoSave = (error: unknown) => (error as OverworldError).body?.error === 'No save found';
