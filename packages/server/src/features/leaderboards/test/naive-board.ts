interface Score {
  score: number;
  /** The time, counted as the number of scores that were sent before this one. */
  at: number;
}
interface Player {
  entry: Score | null;
  waiting: Score | null;
  is_banned: boolean;
}
interface Undo {
  player: number;
  is_ban: boolean;
  undo(player: Player): void;
}

/**
 * A simple board that follows the documentation: it ranks in descending order, and quarantines a score if it
 * exceeds the player's public score (or 0, if there is none) by more than `max_gain`.
 */
export class NaiveBoard {
  readonly #players = new Map<number, Player>();
  readonly #max_gain: number;
  #now = 0;

  constructor(max_gain: number) {
    this.#max_gain = max_gain;
  }

  #get(number: number): Player {
    const player = this.#players.get(number) ?? { entry: null, waiting: null, is_banned: false };
    this.#players.set(number, player);
    return player;
  }

  /** Adds a player without a score. */
  meet(number: number): void {
    this.#get(number);
  }

  /** @returns the score that the player sees; null for a refusal. */
  submit(number: number, score: number): number | null {
    const player = this.#get(number);
    if (player.is_banned) return null;
    const sent = { score, at: this.#now++ };
    const { entry, waiting } = player;
    if (score - (entry?.score ?? 0) <= this.#max_gain) {
      if (entry === null || score > entry.score) player.entry = sent;
    } else if (waiting === null || score > waiting.score) {
      player.waiting = sent;
    }
    return Math.max(player.entry?.score ?? -Infinity, player.waiting?.score ?? -Infinity);
  }

  accept(numbers: readonly number[]): Undo[] {
    return this.#takeWaiting(numbers).map(({ player, number, waiting }) => {
      const before = player.entry;
      if (before === null || waiting.score > before.score) player.entry = waiting;
      return {
        player: number,
        is_ban: false,
        undo(now) {
          const is_unchanged = now.entry === waiting || now.entry === before;
          if (!is_unchanged) return;
          if (now.entry === waiting) now.entry = before;
          now.waiting ??= waiting;
        },
      };
    });
  }

  remove(numbers: readonly number[]): Undo[] {
    return this.#takeWaiting(numbers).map(({ number, waiting }) => ({
      player: number,
      is_ban: false,
      undo: (now) => {
        now.waiting ??= waiting;
      },
    }));
  }

  #takeWaiting(numbers: readonly number[]) {
    return [...new Set(numbers)].flatMap((number) => {
      const player = this.#get(number);
      const { waiting } = player;
      player.waiting = null;
      return waiting === null ? [] : [{ player, number, waiting }];
    });
  }

  /** @returns null if the player is unknown or banned already. */
  ban(number: number): Undo[] | null {
    const player = this.#players.get(number);
    if (player === undefined || player.is_banned) return null;
    const { entry, waiting } = player;
    Object.assign(player, { entry: null, waiting: null, is_banned: true });
    const undo = (now: Player) => Object.assign(now, { entry, waiting, is_banned: false });
    return [{ player: number, is_ban: true, undo }];
  }

  undo(decision: readonly Undo[]): void {
    for (const { player, is_ban, undo } of decision) {
      const now = this.#get(player);
      if (is_ban || !now.is_banned) undo(now);
    }
  }

  /** Lists all public entries by rank as texts `player score`. */
  standings(): string[] {
    return [...this.#players]
      .filter(([, { entry }]) => entry !== null)
      .toSorted(([, { entry: a }], [, { entry: b }]) => b!.score - a!.score || a!.at - b!.at)
      .map(([number, { entry }]) => `p${number} ${entry!.score}`);
  }
}
