import type { Overworld } from '@overworld/sdk';
import { readDifficulty } from '../world/weather.ts';
import type { Difficulty } from '../world/weather.ts';
import type { Connection } from './connection.ts';

/** Reads the difficulty from the remote config at the start, and when the page comes to the foreground. */
export class DifficultyWatch {
  readonly #overworld: Overworld;
  readonly #connection: Connection;
  readonly #onDifficulty: (difficulty: Difficulty) => void;

  constructor(
    overworld: Overworld,
    connection: Connection,
    onDifficulty: (difficulty: Difficulty) => void,
  ) {
    this.#overworld = overworld;
    this.#connection = connection;
    this.#onDifficulty = onDifficulty;
  }

  start(): void {
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.load();
    });
    void this.load();
  }

  /**
   * Asks the server for the difficulty, which also shows whether the server can be reached. If nothing has
   * changed, the answer has no body.
   */
  async load(): Promise<void> {
    const answer = await this.#overworld.config.load({ maxAgeMs: 0 }).catch(() => null);
    if (answer !== null) this.#onDifficulty(readDifficulty(answer.config));
    this.#connection.note(answer !== null && !answer.isStale);
  }
}
