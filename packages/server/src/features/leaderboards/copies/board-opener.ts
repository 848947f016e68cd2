import type { Clock } from '../../../platform/clock.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { unavailable } from '../../../platform/errors.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import { openSeason } from '../seasons/seasons.ts';
import type { BoardKey } from '../store.ts';
import { checkBounds, isOver } from '../submits/decide-submits.ts';
import type { Submit } from '../submits/decide-submits.ts';
import type { BoardCopies, BoardCopy } from './board-copies.ts';
import { findState } from './load-order.ts';

interface BoardOpenerServices {
  database: GroupedDatabase;
  copies: BoardCopies;
  clock: Clock;
  /** The number of workers of the server, which share its connections. */
  workers: number;
}

/**
 * Makes the queue for boards that are not in memory. To load or open one takes several statements, on
 * connections that logins need too. Games take turns, and no game has all of the slots.
 */
const createTurns = (workers: number) =>
  createFairQueue({
    name: 'boards',
    slots: Math.max(1, Math.floor(2 / workers)),
    max_waiting: 20_000,
    deadline_ms: 30_000,
    limits: [{ max_running: 1, max_waiting: 5_000 }],
    refusal: 'Too many leaderboards are being loaded, try again in a few seconds',
  });

/** Loads boards into memory and begins seasons, outside of the batches in which other boards would wait. */
export function createBoardOpener({ database, copies, clock, workers }: BoardOpenerServices) {
  const turns = createTurns(workers);

  const open = async ({ board, score, sender }: Submit): Promise<BoardCopy> => {
    const copy = copies.peek(board, null);
    if (copy !== null) return copy;
    const { season, ...bounds } = await findState(database.ofGame(board.game_id), board, null);
    if (season === null || isOver(season, clock())) {
      const refusal = checkBounds(score, bounds);
      if (refusal !== null) throw refusal;
      await openSeason(database, board, sender.is_verified ? null : sender.ip, clock());
    }
    const opened = await copies.load(board, null);
    if (opened === null) throw unavailable('The leaderboard has just been deleted, try again');
    return opened;
  };

  return {
    /** Waits for a turn of the board's game, and does the work. @throws ApiError 503 after 30 s. */
    run: <T>({ game_id }: BoardKey, work: () => Promise<T>): Promise<T> =>
      turns.run([game_id], work),
    /** Loads the copy of a season (null for the current season). @returns null when there is none. */
    load: (board: BoardKey, season: number | null): Promise<BoardCopy | null> =>
      turns.run([board.game_id], () => copies.load(board, season)),
    /**
     * Loads the copy of the season that a submit is for. Begins the season if it is due, and makes the board
     * if there is none.
     * @throws ApiError 400 when the score is out of bounds and no season is open, or as `openSeason` does.
     */
    open: (submit: Submit): Promise<BoardCopy> =>
      turns.run([submit.board.game_id], () => open(submit)),
  };
}

export type BoardOpener = ReturnType<typeof createBoardOpener>;
