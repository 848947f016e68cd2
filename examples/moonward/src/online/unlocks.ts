import type { Overworld, Unlock } from '@overworld/sdk';
import type { Connection } from './connection.ts';

/**
 * Unlocks the earned achievements, each once a visit. Without a connection they wait for the next
 * call: the progress keeps them.
 */
export class Unlocks {
  readonly #overworld: Overworld;
  readonly #connection: Connection;
  readonly #onUnlock: (unlock: Unlock) => void;
  readonly #settled = new Map<string, Promise<boolean>>();

  /** `onUnlock` gets the achievements that the player did not have before. */
  constructor(overworld: Overworld, connection: Connection, onUnlock: (unlock: Unlock) => void) {
    this.#overworld = overworld;
    this.#connection = connection;
    this.#onUnlock = onUnlock;
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

  /** Whether the server has the unlock now. */
  async #unlock(key: string): Promise<boolean> {
    const unlock = await this.#connection.ask(() => this.#overworld.achievements.unlock(key));
    if (unlock === null) return false;
    if (!unlock.already_unlocked) this.#onUnlock(unlock);
    return true;
  }
}
