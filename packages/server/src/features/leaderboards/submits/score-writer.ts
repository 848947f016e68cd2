import { answerInRounds, groupRequests } from '../../../platform/batch/rounds.ts';
import { createBatcher } from '../../../platform/batch/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import { nameOfSeason } from '../store.ts';
import type { BoardKey } from '../store.ts';
import { lockSeasons, storeScores } from './change-store.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import type { Submit } from './ranking.ts';
import { answerSubmits, boardOf, decideSubmits } from './submit-round.ts';
import type { BoardSubmits, Results, Submitted } from './submit-round.ts';

export interface ScoreWriter {
  /** Resolves when the changes of the submit are committed. */
  submit(submit: Submit): Promise<Submitted>;
  /** Refuses new submits and resolves when all accepted ones are answered. */
  close(): Promise<void>;
}

export interface ScoreWriterServices {
  hot: Database;
  copies: BoardCopies;
  trimmer: ChangeTrimmer;
  clock: Clock;
  /** Makes the board if there is none, and begins the season that is due. */
  openSeason: (board: BoardKey) => Promise<void>;
}

/**
 * Batches submits: one statement reads the boards and the players' entries, the rules decide, one
 * statement stores the better scores. It stores a board's changes only if its season is still at the
 * version that was read; submits that another server has overtaken are decided again with the season
 * locked. A submit that is not better takes no lock and writes nothing. Ranks come from the copies,
 * which are then at the version that was read or stored.
 */
export function createScoreWriter(services: ScoreWriterServices): ScoreWriter {
  const { copies } = services;
  const batcher = createBatcher<Submit, Submitted>({
    name: 'scores',
    max_batch_size: 500,
    max_queue_length: 20_000,
    flush(submits) {
      const boards = groupRequests(submits, ({ board }) => nameOfSeason(board, null));
      return answerInRounds<BoardSubmits, Submitted>(
        submits.length,
        boards.map((board) => ({ ...board, is_overtaken: false })),
        (open, results) => storeSubmits(services, open, results),
      );
    },
  });

  return {
    async submit(submit) {
      // A large board that is not in memory must not hold up the others of a batch.
      if (copies.peek(submit.board, null) === null) await copies.load(submit.board, null);
      return batcher.submit(submit);
    },
    close: () => batcher.close(),
  };
}

/** Decides submits and stores their changes. @returns the submits that need another round. */
async function storeSubmits(
  services: ScoreWriterServices,
  unsorted: readonly BoardSubmits[],
  results: Results,
): Promise<BoardSubmits[]> {
  const { hot, copies, trimmer } = services;
  // The order in which all servers lock seasons.
  const boards = unsorted.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const loaded = await Promise.all(boards.map((submits) => copies.load(boardOf(submits), null)));
  const { promise: written, resolve: release } = Promise.withResolvers<void>();
  const writing: BoardCopy[] = [];

  const decideAndStore = async (database: Queryable) => {
    const round = await decideSubmits(services, database, boards, loaded, results);
    const changed = round.decided.filter(({ changes }) => changes !== null);
    for (const { copy } of changed) {
      copy.writing = written;
      writing.push(copy);
    }
    const places = await storeScores(
      database,
      changed.map(({ changes }) => changes!),
    );
    return { ...round, stored: new Set(changed.filter((_, place) => places.has(place))) };
  };
  const lockAndStore = () =>
    hot.transaction(async (tx) => {
      const seasons = loaded.filter((copy) => copy !== null);
      await lockSeasons(
        tx,
        seasons.map(({ board, season }) => ({ ...board, season })),
      );
      return decideAndStore(tx);
    });

  try {
    const isOvertaken = boards.some(({ is_overtaken }) => is_overtaken);
    const { decided, stored, open, unopened } = isOvertaken
      ? await lockAndStore()
      : await decideAndStore(hot);
    for (const { copy, changes } of stored) {
      copies.advance(copy, changes!);
      trimmer.note(changes!.season);
    }
    for (const each of decided) {
      const rest = answerSubmits(each, stored.has(each), results);
      if (rest !== null) open.push(rest);
    }
    return [...open, ...(await openSeasons(services, unopened, results))];
  } finally {
    for (const copy of writing) copy.writing = null;
    release();
  }
}

/** Opens the seasons that are due. Where that fails, it fails the submits to this board alone. */
async function openSeasons(
  { openSeason }: ScoreWriterServices,
  unopened: readonly BoardSubmits[],
  results: Results,
): Promise<BoardSubmits[]> {
  const opened = await Promise.allSettled(unopened.map((submits) => openSeason(boardOf(submits))));
  return unopened.filter(({ places }, index) => {
    const outcome = opened[index]!;
    if (outcome.status === 'fulfilled') return true;
    for (const place of places) results[place] = outcome.reason as Error;
    return false;
  });
}
