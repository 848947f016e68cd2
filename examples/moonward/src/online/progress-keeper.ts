import type { Overworld } from '@overworld/sdk';
import { mergeProgress, NO_PROGRESS } from '../world/progress.ts';
import type { Progress } from '../world/progress.ts';
import { readProgress } from '../world/read-progress.ts';
import type { Connection } from './connection.ts';
import { localStore } from '../local-store.ts';

/** The time from a change until the save. Changes within this time are saved together. */
const SAVE_DELAY_MS = 400;

/** The key of a player's progress in the storage of this device. */
export const progressKey = (player_id: string) => `progress:${player_id}`;

/** Keeps the player's progress in memory, on this device, and in the cloud save if that can be reached. */
export class ProgressKeeper {
  readonly #overworld: Overworld;
  readonly #connection: Connection;
  readonly #player_id: string;
  readonly #key: string;
  readonly #onChange: (progress: Progress) => void;
  readonly #onConflict: () => void;
  #progress: Progress = NO_PROGRESS;
  #isUnsaved = true;
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `onConflict` is called when a save from another tab or device was merged into the progress. */
  constructor(
    overworld: Overworld,
    connection: Connection,
    on: { change: (progress: Progress) => void; conflict: () => void },
  ) {
    this.#overworld = overworld;
    this.#connection = connection;
    this.#onChange = on.change;
    this.#onConflict = on.conflict;
    this.#player_id = overworld.playerId;
    this.#key = progressKey(this.#player_id);
    this.#progress = readProgress(localStore.read(this.#key));
    localStore.onOtherTab(this.#key, () => this.#take(readProgress(localStore.read(this.#key))));
  }

  get progress(): Progress {
    return this.#progress;
  }

  change(change: (progress: Progress) => Progress): void {
    this.#take(change(this.#progress));
    this.#isUnsaved = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), SAVE_DELAY_MS);
  }

  /** Merges the cloud save into the progress, then saves the progress that only this device has. */
  async load(): Promise<void> {
    const save = await this.#connection.ask(() => this.#overworld.saves.load());
    if (save === null) return;
    this.#take(readProgress(save.data));
    const isThere = JSON.stringify(save.data) === JSON.stringify(this.#progress);
    this.#isUnsaved = !isThere;
  }

  /** Saves unsaved progress. Without a connection, the progress waits for the next call. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saving ??= this.#saveAll().finally(() => (this.#saving = null));
    await this.#saving;
  }

  async #saveAll(): Promise<void> {
    // If this device has been linked to another player, nothing more is saved for this one. The game restarts
    // as the other player.
    while (this.#isUnsaved && this.#overworld.playerId === this.#player_id) {
      this.#isUnsaved = false;
      const result = await this.#connection.ask(() =>
        this.#overworld.saves.save(this.#progress, {
          // The SDK also calls this function for an earlier save that it has queued.
          onConflict: ({ ours, theirs }) => {
            this.#onConflict();
            this.#take(readProgress(theirs));
            return mergeProgress(ours, readProgress(theirs));
          },
        }),
      );
      if (result === null) {
        this.#isUnsaved = true;
        return;
      }
      this.#take(result.data);
    }
  }

  /** Merges other progress into the present progress. Nothing of either is lost. */
  #take(other: Progress): void {
    const stored = readProgress(localStore.read(this.#key));
    this.#progress = mergeProgress(mergeProgress(this.#progress, other), stored);
    localStore.write(this.#key, this.#progress);
    this.#onChange(this.#progress);
  }
}
