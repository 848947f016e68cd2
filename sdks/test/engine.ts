/** An SDK as the tests see it: a game whose calls a test chooses. */
export interface Engine {
  readonly name: string;
  /** Reason why the SDK cannot run here; false if it can. */
  readonly skip: string | false;
  /** True if a save keeps its exact text, and not only its values. */
  readonly keepsSaveText: boolean;
  /** Starts a game. Its storage is in the folder, which outlives the game. */
  start(options: GameOptions): Promise<Game>;
}

export interface GameOptions {
  base_url: string;
  api_key: string;
  /** The first key of the game, under which the device keeps its data. */
  first_api_key?: string;
  /** Without this id, the SDK makes an anonymous player. */
  player_id?: string;
  folder: string;
  /**
   * The time for which an event waits for further events.
   * The default is so long that only `flush` sends events.
   */
  flush_interval_seconds?: number;
  /** 5,000 by default. */
  max_queued_events?: number;
  timeout_seconds?: number;
  /** True if the player has agreed to be tracked; true by default. */
  tracking_enabled?: boolean;
}

export interface Game {
  /**
   * Makes a call of the SDK, such as `saves.save`, and resolves to its answer, in the same form for
   * each SDK. Rejects with a CallError when the call fails.
   */
  // oxlint-disable-next-line no-explicit-any
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Ends the game at once, as a crash does. */
  kill(): Promise<void>;
}

/** The error of a failed call. */
export class CallError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(failure: { code: string; status?: number; message?: string }) {
    super(`${failure.code}: ${failure.message ?? ''}`);
    this.code = failure.code;
    this.status = failure.status ?? 0;
  }
}

export const withDefaults = (options: GameOptions) => ({
  flush_interval_seconds: 1_000_000,
  max_queued_events: 5_000,
  timeout_seconds: 30,
  ...options,
});
