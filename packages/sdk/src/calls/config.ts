import { parseKept } from '../stores/kept-store.ts';
import type { Tell } from '../events/callbacks.ts';
import type { KeptStore, KeptText } from '../stores/kept-store.ts';
import type { Player } from './player.ts';
import type { Transport } from '../http/transport.ts';

/** The values of the remote config for the player. */
export interface RemoteConfig {
  config: { [key: string]: unknown };
  version: number;
  /** True if the server was not reached, so that `config` has the last values that the server gave. */
  isStale: boolean;
}

/** The remote config, which is set in the dashboard. */
export interface Config {
  /**
   * Loads the values for the player. The client asks the server at most once in a minute, or once in
   * `maxAgeMs`. While nothing has changed, the server sends no body. If the server is not reached, `load`
   * gives the last values of the server, even if an earlier run of the game loaded them.
   * @throws OverworldError if the server is not reached and has never given values.
   * @example
   * const { config } = await overworld.config.load();
   * setInterval(() => overworld.config.load({ maxAgeMs: 0 }).catch(() => {}), 30_000);
   */
  load(options?: { maxAgeMs?: number }): Promise<RemoteConfig>;
  /**
   * Returns one value of the last `load`, or the fallback if there is no value of the fallback's type. With
   * null as the fallback, the value may have any type.
   * @example const speed = overworld.config.get('enemy_speed', 1); // a number
   */
  get<Value>(key: string, fallback: Value): ConfigValue<Value>;
}

/** The type that `get` returns for a fallback of type `Value`. For the fallback 1 it is `number`, not `1`. */
export type ConfigValue<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends null | undefined
        ? unknown
        : Value;

interface Known {
  player_id: string;
  etag: string | null;
  answer: { config: RemoteConfig['config']; version: number };
}

interface Asked {
  player_id: string;
  /** The time at which the answer arrived. Undefined while there is none. */
  at?: number;
  answer?: Promise<RemoteConfig>;
}

const MAX_AGE_MS = 60_000;

export const createConfig = (
  transport: Transport,
  player: Player,
  store: KeptStore,
  key: string,
  { say }: Tell,
): Config & { open(text: KeptText): void } => {
  let known: Known | undefined;
  /** The last request. */
  let asked: Asked | undefined;

  const ask = async (mine: Asked): Promise<RemoteConfig> => {
    const { player_id } = mine;
    const last = known?.player_id === player_id ? known : undefined;
    try {
      const { status, body, etag } = await transport.retry<Known['answer']>({
        path: 'config',
        gives: 'config',
        query: { player_id },
        player_id,
        headers: last?.etag ? { 'if-none-match': last.etag } : {},
      });
      const next = status === 304 && last ? last : { player_id, etag, answer: body };
      mine.at = Date.now();
      // After a change of the player, these values are not for the present player.
      if (asked === mine) {
        known = next;
        void store.keep(key, known);
      }
      return { ...next.answer, isStale: false };
    } catch (error) {
      mine.at = -Infinity;
      if (last) return { ...last.answer, isStale: true };
      throw error;
    }
  };

  return {
    open: (text) => {
      known = parseKept(text);
    },
    load: async ({ maxAgeMs = MAX_AGE_MS } = {}) => {
      const player_id = await player.get();
      // The difference may be negative, because the device's clock may have been set back. A request without
      // an answer has no age, and is not repeated.
      const age_ms = Math.abs(Date.now() - (asked?.at ?? NaN));
      if (asked?.player_id !== player_id || age_ms >= maxAgeMs) {
        asked = { player_id };
        asked.answer = ask(asked);
      }
      return asked.answer!;
    },
    get: <Value>(name: string, fallback: Value) => {
      const { config = {} } = known?.answer ?? {};
      const value = Object.hasOwn(config, name) ? config[name] : fallback;
      const isFit = (fallback ?? null) === null || kindOf(value) === kindOf(fallback);
      if (!isFit) {
        say(`Config value ${name} is a ${kindOf(value)}, not a ${kindOf(fallback)}`);
      }
      return (isFit ? value : fallback) as ConfigValue<Value>;
    },
  };
};

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
