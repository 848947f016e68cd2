/** An SDK under test. It starts a small game, and a test chooses the game's calls to the SDK. */
export interface Engine {
  readonly name: string;
  /** Reason why the SDK cannot run here; false if it can. */
  readonly skip: string | false;
  /** True if a save keeps its exact JSON text. False if it keeps only the values. */
  readonly keepsSaveText: boolean;
  /** Starts a game that keeps its data in `folder`. The folder stays when the game ends. */
  start(options: GameOptions): Promise<Game>;
}

export interface GameOptions {
  base_url: string;
  api_key: string;
  /** The first API key that the game ever had. The SDK keeps its data on the device under this key. */
  first_api_key?: string;
  /** Without this id, the SDK makes an anonymous player. */
  player_id?: string;
  folder: string;
  /** True for C# with the storage of games in a browser. Its page ends with the game. */
  is_web?: boolean;
  /** The most characters of a text for which this page has room. */
  web_room?: number;
  /**
   * The time for which an event waits for further events.
   * The default is so long that only `flush` sends events.
   */
  flush_interval_seconds?: number;
  /** 5,000 by default. */
  max_queued_events?: number;
  timeout_seconds?: number;
  /** The version of the game; none by default. */
  app_version?: string;
  /** True if the player has agreed to be tracked; true by default. */
  tracking_enabled?: boolean;
}

export interface Game {
  /**
   * Calls a function of the SDK, such as `saves.save`. Resolves to its answer, which has the same form
   * for all SDKs. Rejects with a CallError when the call fails.
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
  /** True if the SDK has kept the call, to send it later. */
  readonly isKept: boolean;

  constructor(failure: { code: string; status?: number; message?: string; is_kept?: boolean }) {
    super(`${failure.code}: ${failure.message ?? ''}`);
    this.isKept = failure.is_kept ?? false;
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
