import { MAX_TRIAL_EXAMPLES } from '@overworld/contract/definitions/trials';
import type { Trial } from '@overworld/contract/definitions/trials';

/** More players are not counted, because their ids would fill the memory of the thread of reports. */
const MAX_PLAYERS = 100_000;

/** A set of players that counts until there are too many. */
export function createPlayerCount() {
  const players = new Set<string>();
  return {
    add(player_id: string | null): void {
      if (player_id !== null && players.size <= MAX_PLAYERS) players.add(player_id);
    },
    /** Null if there are too many. */
    get count(): number | null {
      return players.size > MAX_PLAYERS ? null : players.size;
    },
  };
}

/**
 * Keeps what a rule that is tried on the past would have met: its players, and the newest examples.
 * @param order Whether the things come in order of time, or the newest first.
 */
export function createEncounters(order: 'oldest first' | 'newest first') {
  const players = createPlayerCount();
  const kept: Trial['examples'] = [];
  return {
    add(example: Trial['examples'][number]): void {
      players.add(example.player_id);
      if (order === 'newest first' && kept.length === MAX_TRIAL_EXAMPLES) return;
      kept.push(example);
      if (kept.length > 2 * MAX_TRIAL_EXAMPLES) kept.splice(0, MAX_TRIAL_EXAMPLES);
    },
    /**
     * Makes the members of a trial.
     * @param of All players of whom there is something that the rule looks at; null if they are too many.
     */
    show(of: number | null): Required<Pick<Trial, 'players' | 'examples'>> {
      const { count } = players;
      const newest = order === 'newest first' ? kept : kept.toReversed();
      return {
        players: count === null || of === null ? null : { count, of },
        examples: newest.slice(0, MAX_TRIAL_EXAMPLES),
      };
    },
  };
}

export type Encounters = ReturnType<typeof createEncounters>;
