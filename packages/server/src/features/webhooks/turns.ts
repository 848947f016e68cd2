import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { forEachGroup, roundInterval } from '../../platform/database/each-group.ts';
import { restOf } from '../../platform/rest.ts';
import { listDueGames } from './due-webhooks.ts';

/**
 * The rest between two looks for due messages, because a look reads a row for each webhook with waiting
 * messages. Looks occupy a connection for at most a twentieth of the time, except where `MAX_REST_MS` shortens
 * the rest.
 */
const REST = { times: 19, min_ms: 500 };
/**
 * The longest rest. On a busy machine a look may take seconds, and messages must not wait for minutes.
 */
const MAX_REST_MS = 2_000;

/**
 * The answer of a game to its turn: a value, or `busy` if the game has nothing now but
 * perhaps soon, or null if it has nothing at all.
 */
export type Turn<T> = T | 'busy' | null;

/** @param now Returns the time in milliseconds. */
export function createGameTurns(
  database: GroupedDatabase,
  now: () => number = () => performance.now(),
) {
  /** The games that wait for their turns, each with its database. */
  const queue = new Map<string, Database>();
  let next_look_at = -Infinity;
  const look = async () => {
    const began_at = now();
    if (began_at < next_look_at) return;
    const lookAt = async (group: Database) => {
      for (const game_id of await listDueGames(group)) queue.set(game_id, group);
    };
    // While one group is down, games of the other groups still have their turns.
    await forEachGroup(database.groups, lookAt).finally(() => {
      const ended_at = now();
      const max_ms = roundInterval(MAX_REST_MS, database);
      next_look_at = ended_at + restOf(ended_at - began_at, { ...REST, max_ms });
    });
  };
  return {
    /**
     * Asks one game after the other until a game answers with a value. A game with nothing
     * at all gets no turn until the next look finds due messages of this game. Call `take`
     * again only when the last call has ended.
     */
    async take<T extends object>(
      ask: (game_id: string, group: Database) => Promise<Turn<T>>,
    ): Promise<T | null> {
      await look();
      let left = queue.size;
      for (const [game_id, group] of queue) {
        if (left-- === 0) break;
        queue.delete(game_id);
        const answer = await ask(game_id, group);
        if (answer === null) continue;
        queue.set(game_id, group);
        if (answer !== 'busy') return answer;
      }
      return null;
    },
  };
}
