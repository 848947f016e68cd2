/** An SDK as the tests see it: a game that makes the calls it is told to. */
export interface Engine {
  readonly name: string;
  /** Why it cannot be run here; false when it can. */
  readonly skip: string | false;
  /** Whether a save keeps the very text it was loaded with, not its values alone. */
  readonly keepsSaveText: boolean;
  /** Starts a game. Its storage is the folder, which outlives it. */
  start(options: GameOptions): Promise<Game>;
}

export interface GameOptions {
  base_url: string;
  api_key: string;
  /** The one before it was rotated, under which what is on the device is kept. */
  first_api_key?: string;
  /** Left out, the SDK makes an anonymous player. */
  player_id?: string;
  folder: string;
  /** How long an event waits for others; by default so long that `flush` alone sends. */
  flush_interval_seconds?: number;
  /** 5,000 by default. */
  max_queued_events?: number;
  timeout_seconds?: number;
}

export interface Game {
  /**
   * Makes a call of the SDK, such as `saves.save`, and resolves to what it answers, in the same form
   * for each SDK. Rejects with a CallError when the call fails.
   */
  // oxlint-disable-next-line no-explicit-any
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Ends the game at once, as a crash does. */
  kill(): Promise<void>;
}

/** What an SDK reports of a call that failed. */
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
