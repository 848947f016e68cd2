import { OverworldError } from '@overworld/sdk';

/** Codes of errors without an answer of the server. */
const UNREACHED = new Set(['offline', 'network', 'timeout', 'bad_answer', 'server_error']);

/** Whether the server can be reached, by the last request. */
export class Connection {
  #isOnline = true;
  readonly #onChange: (isOnline: boolean) => void;

  constructor(onChange: (isOnline: boolean) => void) {
    this.#onChange = onChange;
    addEventListener('offline', () => this.note(false));
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  note(isOnline: boolean): void {
    if (this.#isOnline === isOnline) return;
    this.#isOnline = isOnline;
    this.#onChange(isOnline);
  }

  /**
   * The answer; null if the server cannot be reached or refuses. The game continues and asks again
   * later.
   */
  async ask<Answer>(request: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await request();
      this.note(true);
      return answer;
    } catch (error) {
      if (!(error instanceof OverworldError)) throw error;
      if (UNREACHED.has(error.code)) this.note(false);
      else console.warn(`Overworld: ${error.message}`);
      return null;
    }
  }
}
