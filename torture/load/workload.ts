import type { Database } from '../../packages/server/src/platform/database/database.ts';
import type { Answer, HttpRequest } from './connection.ts';

/** A request of a workload. `onOutcome` records the write that an answer acknowledges. */
export interface Step {
  request: HttpRequest;
  /** Statuses other than 2xx that are no violation. */
  accepts?: readonly number[];
  /**
   * @param answer Null when the outcome is unknown, because no answer or a 503 came.
   * @returns a violation, or null.
   */
  onOutcome(answer: Answer | null): string | null;
}

/** Access to the stored data while the load is paused. */
export interface Scene {
  database: Database;
  game_id: string;
  time_zone: string;
  /** Gets a path with the game's key. @returns the parsed body. */
  get(path: string): Promise<Record<string, unknown>>;
  /** Lets a server run a shared task now, also if a killed server still holds it. */
  makeDue(task: string): Promise<void>;
}

/**
 * One kind of write, with a record of the acknowledged writes. Each client has its own players and at most
 * one request under way, so a workload knows the order of its writes.
 */
export interface Workload {
  readonly name: string;
  next(client: number): Step;
  /**
   * Compares the stored data with the acknowledged writes, while no request
   * is under way. Afterwards, the outcome of every request is known.
   * @returns violations.
   */
  check(scene: Scene): Promise<string[]>;
}

/** The known state or, after a request of unknown outcome, the two possible states. */
export interface Known<State> {
  certain: State;
  maybe?: { state: State };
}

/**
 * Makes the names of the players of each client. A player whose state is unknown
 * is replaced by a new player, because only the next check finds out the state.
 */
export function createPlayers(prefix: string, count: number) {
  let renewed = 0;
  const clients = new Map<number, string[]>();
  return {
    /**
     * Returns the client's player with the index `place`. If `isUsable` returns
     * false for this player, a new player replaces it at this index.
     */
    choose(client: number, place: number, isUsable: (player: string) => boolean): string {
      let players = clients.get(client);
      if (players === undefined) {
        players = Array.from({ length: count }, (_, index) => `${prefix}-${client}-${index}`);
        clients.set(client, players);
      }
      if (!isUsable(players[place]!)) {
        renewed += 1;
        players[place] = `${prefix}-${client}-new-${renewed}`;
      }
      return players[place]!;
    },
  };
}
