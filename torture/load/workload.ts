import type { Database } from '../../packages/server/src/platform/database/database.ts';
import type { Answer, HttpRequest } from './connection.ts';

/** A request of a workload, which remembers what it is promised by the answer. */
export interface Step {
  request: HttpRequest;
  /** Statuses beside 2xx that may be answered. */
  accepts?: readonly number[];
  /**
   * @param answer Null when the outcome is unknown: no answer came, or a 503. It may be stored.
   * @returns what is wrong with the answer, or null.
   */
  onOutcome(answer: Answer | null): string | null;
}

/** Where to look when all is quiet. */
export interface Scene {
  database: Database;
  game_id: string;
  time_zone: string;
  /** Gets a path with the game's key; the parsed body. */
  get(path: string): Promise<Record<string, unknown>>;
}

/**
 * One kind of write, and all that was acknowledged of it. Each lane has players of its own, and one
 * request under way, so that a workload knows in what order its writes came.
 */
export interface Workload {
  readonly name: string;
  next(lane: number): Step;
  /**
   * Compares what is stored with what was acknowledged, while nothing is under way. What became of
   * requests of unknown outcome is known from then on.
   * @returns what is wrong.
   */
  check(scene: Scene): Promise<string[]>;
}

/** A state that is known, or, after a request of unknown outcome, one of two. */
export interface Known<State> {
  certain: State;
  maybe?: { state: State };
}

/** Names of players: a lane takes a new one for each whose state is unknown until the next check. */
export function createPlayers(prefix: string, count: number) {
  let renewed = 0;
  const lanes = new Map<number, string[]>();
  return {
    /** The lane's player at a place; replaced by a new one where `isUsable` says no. */
    choose(lane: number, place: number, isUsable: (player: string) => boolean): string {
      let players = lanes.get(lane);
      if (players === undefined) {
        players = Array.from({ length: count }, (_, index) => `${prefix}-${lane}-${index}`);
        lanes.set(lane, players);
      }
      if (!isUsable(players[place]!)) {
        renewed += 1;
        players[place] = `${prefix}-${lane}-new-${renewed}`;
      }
      return players[place]!;
    },
  };
}
