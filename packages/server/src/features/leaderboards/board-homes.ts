import { createSharedReads } from '../../platform/batch/shared-reads.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { packFailure, unpackFailure } from '../../platform/workers/failures.ts';
import type { Failure } from '../../platform/workers/failures.ts';
import { hashKey } from '../../platform/workers/counts/window-counts.ts';
import type { WorkerPool } from '../../platform/workers/worker-pool.ts';
import type { ApiError } from '../../platform/errors.ts';
import { nameOfPage } from './pages/page-reader.ts';
import type { PageReader } from './pages/page-reader.ts';
import type { PageRequest } from './pages/page.ts';
import { nameOfSeason } from './store.ts';
import type { BoardKey } from './store.ts';
import type { Submit, Submitted } from './submits/decide-submits.ts';
import type { ScoreWriter } from './submits/score-writer.ts';

type SentSubmit = Omit<Submit, 'limit_reached'> & { limit_reached: Failure | null };

/**
 * Gives each board one worker of the server as its home, so the board's ranks are in memory only once. The
 * other workers forward submits and requests for pages of the board to its home. When many callers request
 * the same page at the same time, such as the top of a board, a worker forwards one request for all of them.
 * @param own The score writer and the page reader for the boards whose home is this worker.
 */
export function shareBoards(
  database: GroupedDatabase,
  { peers, worker, workers }: WorkerPool,
  own: { scores: ScoreWriter; pages: PageReader },
): { scores: ScoreWriter; pages: PageReader } {
  if (workers === 1) return own;
  const sharePage = createSharedReads<string>();
  const homeOf = (board: BoardKey) => hashKey(nameOfSeason(board, null), 0).bucket % workers;

  // Another worker has authenticated the call, so this one may not know the game yet.
  peers.serve<SentSubmit>('submit a score', async ({ limit_reached, ...submit }) => {
    await database.learnGames([submit.board.game_id]);
    return own.scores.submit({
      ...submit,
      limit_reached: limit_reached && (unpackFailure(limit_reached) as ApiError),
    });
  });
  peers.serve<PageRequest>('read a page', async (request) => {
    await database.learnGames([request.board.game_id]);
    return own.pages.read(request);
  });

  return {
    scores: {
      ...own.scores,
      submit(submit) {
        const home = homeOf(submit.board);
        if (home === worker) return own.scores.submit(submit);
        const limit_reached = submit.limit_reached && packFailure(submit.limit_reached);
        return peers.call<Submitted>(home, 'submit a score', { ...submit, limit_reached });
      },
    },
    pages: {
      ...own.pages,
      read(request) {
        const home = homeOf(request.board);
        if (home === worker) return own.pages.read(request);
        return sharePage(nameOfPage(request), () => peers.call(home, 'read a page', request));
      },
    },
  };
}
