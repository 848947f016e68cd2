import { OverworldError } from '@overworld/sdk';

/** Codes of errors that mean that the server gave no answer. */
const UNREACHED = new Set([
  'offline',
  'network',
  'timeout',
  'bad_answer',
  'server_error',
  'store_failed',
]);

/**
 * The first and the longest pause between tries to reach the
 * server again. Each pause is twice as long as the previous one.
 */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Knows from the last request whether the server can be reached. While it cannot be reached, this class
 * tries again from time to time.
 */
export class Connection {
  #isOnline = true;
  /** Number of times that the server was not reached. */
  #losses = 0;
  #pause_ms = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onChange: (isOnline: boolean) => void;
  readonly #retry: () => void;

  /**
   * @param on `change` is called when the server is reached again, and after each request that cannot
   * reach the server. `retry` must make a request and note its outcome.
   */
  constructor(on: { change: (isOnline: boolean) => void; retry: () => void }) {
    this.#onChange = on.change;
    this.#retry = on.retry;
    addEventListener('offline', () => this.note(false));
    addEventListener('online', () => this.#retry());
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  note(isOnline: boolean): void {
    const hasChanged = this.#isOnline !== isOnline;
    this.#isOnline = isOnline;
    if (!isOnline) this.#losses++;
    clearTimeout(this.#timer);
    if (isOnline) {
      this.#pause_ms = FIRST_PAUSE_MS;
    } else {
      this.#timer = setTimeout(() => {
        this.#pause_ms = Math.min(2 * this.#pause_ms, LONGEST_PAUSE_MS);
        this.#retry();
      }, this.#pause_ms);
    }
    if (hasChanged || !isOnline) this.#onChange(isOnline);
  }

  /**
   * Returns the answer; null if the server cannot be reached or refuses the request. The game goes on in
   * both cases, and asks again later.
   */
  async ask<Answer>(
    request: () => Promise<Answer>,
    onRefused = (error: OverworldError) => console.warn(`Overworld: ${error.message}`),
  ): Promise<Answer | null> {
    const losses = this.#losses;
    try {
      const answer = await request();
      // If the connection was lost after this request began, the answer does not show that the connection
      // is back.
      if (losses === this.#losses) this.note(true);
      return answer;
    } catch (error) {
      if (!(error instanceof OverworldError)) throw error;
      if (UNREACHED.has(error.code)) this.note(false);
      else onRefused(error);
      return null;
    }
  }
}
