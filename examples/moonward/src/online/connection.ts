import { OverworldError } from '@overworld/sdk';

/** Without these codes an error says that the server answered. */
const UNREACHED = new Set(['offline', 'network', 'timeout', 'bad_answer', 'server_error']);

/** Whether the server can be reached, as far as the last request told. */
export class Connection {
  #isOnline = navigator.onLine;
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

  /** The answer; null while the server cannot be reached. Other errors are the caller's. */
  async ask<Answer>(request: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await request();
      this.note(true);
      return answer;
    } catch (error) {
      if (!(error instanceof OverworldError) || !UNREACHED.has(error.code)) throw error;
      this.note(false);
      return null;
    }
  }
}
