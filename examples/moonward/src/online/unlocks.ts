import type { Overworld } from '@overworld/sdk';
import type { Connection } from './connection.ts';

/**
 * Unlocks the earned achievements, each of them at most once in a visit. If the server is not reached, the
 * next call tries again. The player's progress lists all earned achievements, so none is forgotten.
 */
export class Unlocks {
  readonly #overworld: Overworld;
  readonly #connection: Connection;
  readonly #settled = new Map<string, Promise<boolean>>();

  constructor(overworld: Overworld, connection: Connection) {
    this.#overworld = overworld;
    this.#connection = connection;
  }

  async unlockAll(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        const unlocking = this.#settled.get(key) ?? this.#unlock(key);
        this.#settled.set(key, unlocking);
        if (!(await unlocking)) this.#settled.delete(key);
      }),
    );
  }

  /** Unlocks an achievement. Returns whether the server has stored the unlock. */
  async #unlock(key: string): Promise<boolean> {
    const unlock = await this.#connection.ask(() => this.#overworld.achievements.unlock(key));
    return unlock !== null;
  }
}
