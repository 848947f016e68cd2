import { answerInRounds, groupRequests } from '../../../platform/batch/rounds.ts';
import { createGroupBatcher } from '../../../platform/batch/group-batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import { asOne } from '../../../platform/database/as-one.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { BoardOpener } from '../copies/board-opener.ts';
import { storePoliced } from '../policy/store-policed.ts';
import type { PolicedAttempt } from '../policy/store-policed.ts';
import { nameOfSeason } from '../store.ts';
import { lockSeasons } from './change-store.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import type { Submit } from './ranking.ts';
import { answerSubmits, storeAttempts } from './store-attempts.ts';
import type { Results, Submitted } from './store-attempts.ts';
import { prepareAttempts } from './submit-round.ts';
import type { Attempt, BoardSubmits, LoadedSubmit } from './submit-round.ts';

interface ScoreWriterServices {
  hot: GroupedDatabase;
  copies: BoardCopies;
  opener: Pick<BoardOpener, 'open'>;
  trimmer: ChangeTrimmer;
  clock: Clock;
}

/**
 * Stores submitted scores in batches. One statement finds the entries and stores the better scores, and a
 * second statement makes the entries of new players. A server keeps copies of boards in memory. A board's
 * scores are stored only if the season has the same version in the database as in this server's copy. If
 * another server has stored a newer version, this server reads the state of the board, and tries again. If
 * that happens a second time, it locks the season for the third try. A score that is not better takes no lock
 * and writes nothing. Ranks are computed from the copy, once it has the version that the statement found or
 * stored. A submit whose board must be loaded or opened leaves its batch, so that no other board waits.
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
          (open, results) => storeSubmits(group, services, open, results),
        );
      },
    });
  const scores = makeBatcher('scores');
  // Boards with a policy have batches of their own, because writes to their ledgers would delay other boards.
  const policed = makeBatcher('policed scores');
  const batcherFor = ({ policy }: BoardCopy) => (policy === null ? scores : policed);

  return {
    /** Resolves when the changes of the submit are committed. */
    async submit(submit: Submit): Promise<Submitted> {
      for (;;) {
        const copy = copies.peek(submit.board, null) ?? (await opener.open(submit));
        const submitted = await batcherFor(copy).submit({ ...submit, copy });
        if (submitted !== null) return submitted;
      }
    },
    /** Refuses new submits and resolves when all accepted ones are answered. */
    async close() {
      await Promise.all([scores.close(), policed.close()]);
    },
  };
}

export type ScoreWriter = ReturnType<typeof createScoreWriter>;

/** Stores the better scores. @returns the submits that must be tried again in another round. */
async function storeSubmits(
  group: Database,
  services: ScoreWriterServices,
  unsorted: readonly BoardSubmits[],
  results: Results,
): Promise<BoardSubmits[]> {
  const { copies, trimmer, clock } = services;
  // All servers lock seasons in this order.
  const boards = unsorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { promise: written, resolve: release } = Promise.withResolvers<void>();
  const writing: BoardCopy[] = [];

  const attempt = async (database: Queryable) => {
    const prepared = await prepareAttempts(services, database, boards, results);
    const { attempts, open } = prepared;
    const policed = attempts.filter(isPoliced);
    const plain = attempts.filter((each) => !isPoliced(each));
    const chosen = plain.length > 0 ? plain : attempts;
    for (const { copy } of chosen) {
      copy.writing = written;
      writing.push(copy);
    }
    if (plain.length === 0) {
      return { ...prepared, outcomes: await storePoliced(database, policed, clock()) };
    }
    // In rare cases, a board gets a policy after a submit to it was
    // queued. The submits to such a board wait for the next round.
    const later = policed.map(({ submits }) => submits);
    const outcomes = await storeAttempts(database, plain, clock(), database !== group);
    return { ...prepared, open: [...open, ...later], outcomes };
  };
  const lockAndAttempt = () =>
    group.transaction(async (tx) => {
      await lockSeasons(
        tx,
        boards.map(({ copy: { board, season } }) => ({ ...board, season })),
      );
      return attempt(tx);
    });

  try {
    const isLocked = boards.some(({ needs }) => needs === 'lock');
    const { outcomes, open } = isLocked ? await lockAndAttempt() : await asOne(group, attempt);
    for (const outcome of outcomes) {
      const { copy, changes, rest } = outcome;
      for (const change of changes) {
        copies.advance(copy, change);
        if (change.is_followed) trimmer.note({ ...copy.board, season: copy.season });
      }
      answerSubmits(outcome, results);
      if (rest !== null) open.push(rest);
    }
    return open;
  } finally {
    for (const copy of writing) copy.writing = null;
    release();
  }
}

const isPoliced = (attempt: Attempt): attempt is PolicedAttempt => attempt.copy.policy !== null;
