import { answerInRounds, groupRequests } from '../../../platform/batch/rounds.ts';
import { createGroupBatcher } from '../../../platform/batch/group-batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { BoardOpener } from '../copies/board-opener.ts';
import { isEmptyPolicy } from '../rules/policy.ts';
import { nameOfSeason } from '../store.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import type { Submit } from './ranking.ts';
import type { BoardSubmits } from './store-submits.ts';
import { runSubmitRound } from './submit-round.ts';
import type { Submitted } from './submit-round.ts';

interface ScoreWriterServices {
  hot: GroupedDatabase;
  copies: BoardCopies;
  opener: Pick<BoardOpener, 'open'>;
  trimmer: ChangeTrimmer;
  clock: Clock;
}

/** A submit with a copy of its board, which is good even if memory has no room for it. */
interface LoadedSubmit extends Submit {
  copy: BoardCopy;
}

/**
 * Stores submitted scores in batches. A server keeps copies of boards in memory. A board's scores are stored
 * only if the season has the same version in the database as in this server's copy. If another server has
 * stored a newer version, this server reads the state of the board, and tries again. If that happens a second
 * time, it locks the season for the third try. A submit whose board must be loaded or opened leaves its
 * batch, so that no other board waits.
 */
export function createScoreWriter(services: ScoreWriterServices) {
  const { hot, copies, opener } = services;
  const makeBatcher = (name: string) =>
    createGroupBatcher<LoadedSubmit, Submitted | null>(hot, {
      name,
      max_batch_size: 500,
      max_queue_length: 20_000,
      gameOf: ({ board }) => board.game_id,
      flush(group, submits) {
        const boards = groupRequests(submits, ({ board }) => nameOfSeason(board, null));
        return answerInRounds<BoardSubmits, Submitted | null>(
          submits.length,
          boards.map((board) => {
            const { board: key, copy } = board.requests.at(-1)!;
            return { ...board, copy: copies.peek(key, null) ?? copy, needs: 'nothing' };
          }),
          (open, results) => runSubmitRound(group, services, open, results),
        );
      },
    });
  const plain = makeBatcher('scores');
  // Boards with rules have batches of their own, because writes to their ledgers would delay other boards.
  const ruled = makeBatcher('scores with rules');

  return {
    /** Resolves when the changes of the submit are committed. */
    async submit(submit: Submit): Promise<Submitted> {
      for (;;) {
        const copy = copies.peek(submit.board, null) ?? (await opener.open(submit));
        const batcher = isEmptyPolicy(copy.policy) ? plain : ruled;
        const submitted = await batcher.submit({ ...submit, copy });
        if (submitted !== null) return submitted;
      }
    },
    /** Refuses new submits and resolves when all accepted ones are answered. */
    async close() {
      await Promise.all([plain.close(), ruled.close()]);
    },
  };
}

export type ScoreWriter = ReturnType<typeof createScoreWriter>;
