import { answerInRounds, groupRequests } from '../../../platform/batch/rounds.ts';
import { createGroupBatcher } from '../../../platform/batch/group-batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import { asOne } from '../../../platform/database/as-one.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import { storePoliced } from '../policy/store-policed.ts';
import type { PolicedAttempt } from '../policy/store-policed.ts';
import { nameOfSeason } from '../store.ts';
import type { BoardKey } from '../store.ts';
import { lockSeasons } from './change-store.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import type { Submit } from './ranking.ts';
import { answerSubmits, storeAttempts } from './store-attempts.ts';
import type { Results, Submitted } from './store-attempts.ts';
import { boardOf, prepareAttempts } from './submit-round.ts';
import type { Attempt, BoardSubmits } from './submit-round.ts';

interface ScoreWriterServices {
  hot: GroupedDatabase;
  copies: BoardCopies;
  trimmer: ChangeTrimmer;
  clock: Clock;
  /**
   * Makes the board if there is none, and begins the season that is due. `stranger_ip` is null if one of the
   * submits has a player token or a server key.
   */
  openSeason: (board: BoardKey, stranger_ip: string | null) => Promise<void>;
}

/**
 * Stores submitted scores in batches. One statement finds the entries and stores the better scores, and a
 * second statement makes the entries of new players. A server keeps copies of boards in memory. A board's
 * scores are stored only if the season has the same version in the database as in this server's copy. If
 * another server has stored a newer version, this server reads the state of the board, and tries again. If
 * that happens a second time, it locks the season for the third try. A score that is not better takes no lock
 * and writes nothing. Ranks are computed from the copy, once it has the version that the statement found or
 * stored.
 */
export function createScoreWriter(services: ScoreWriterServices) {
  const { hot, copies } = services;
  const makeBatcher = (name: string) =>
    createGroupBatcher<Submit, Submitted>(hot, {
      name,
      max_batch_size: 500,
      max_queue_length: 20_000,
      gameOf: ({ board }) => board.game_id,
      flush(group, submits) {
        const boards = groupRequests(submits, ({ board }) => nameOfSeason(board, null));
        return answerInRounds<BoardSubmits, Submitted>(
          submits.length,
          boards.map((board) => ({ ...board, needs: 'nothing' })),
          (open, results) => storeSubmits(group, services, open, results),
        );
      },
    });
  const scores = makeBatcher('scores');
  // Boards with a policy have batches of their own, because writes to their ledgers would delay other boards.
  const policed = makeBatcher('policed scores');
  const batcherFor = (copy: BoardCopy | null) =>
    copy === null || copy.policy === null ? scores : policed;

  return {
    /** Resolves when the changes of the submit are committed. */
    submit(submit: Submit): Promise<Submitted> {
      const { board } = submit;
      const copy = copies.peek(board, null);
      if (copy !== null) return batcherFor(copy).submit(submit);
      // A large board that is not in memory is loaded before its submit joins a batch. Otherwise the load
      // would delay the other boards of the batch.
      return copies.load(board, null).then((loaded) => batcherFor(loaded).submit(submit));
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
  const loaded = await Promise.all(boards.map((submits) => copies.load(boardOf(submits), null)));
  const { promise: written, resolve: release } = Promise.withResolvers<void>();
  const writing: BoardCopy[] = [];

  const attempt = async (database: Queryable) => {
    const prepared = await prepareAttempts(services, database, boards, loaded, results);
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
      const seasons = loaded.filter((copy) => copy !== null);
      await lockSeasons(
        tx,
        seasons.map(({ board, season }) => ({ ...board, season })),
      );
      return attempt(tx);
    });

  try {
    const isLocked = boards.some(({ needs }) => needs === 'lock');
    const { outcomes, open, unopened } = isLocked
      ? await lockAndAttempt()
      : await asOne(group, attempt);
    for (const outcome of outcomes) {
      const { copy, changes, rest } = outcome;
      for (const change of changes) {
        copies.advance(copy, change);
        if (change.is_followed) trimmer.note({ ...copy.board, season: copy.season });
      }
      answerSubmits(outcome, results);
      if (rest !== null) open.push(rest);
    }
    return [...open, ...(await openSeasons(services, unopened, results))];
  } finally {
    for (const copy of writing) copy.writing = null;
    release();
  }
}

const isPoliced = (attempt: Attempt): attempt is PolicedAttempt => attempt.copy.policy !== null;

/** Opens the seasons that are due. If that fails for a board, only the submits to this board fail. */
async function openSeasons(
  { openSeason }: ScoreWriterServices,
  unopened: readonly BoardSubmits[],
  results: Results,
): Promise<BoardSubmits[]> {
  const opened = await Promise.allSettled(
    unopened.map((submits) => openSeason(boardOf(submits), strangerOf(submits))),
  );
  return unopened.filter(({ places }, index) => {
    const outcome = opened[index]!;
    if (outcome.status === 'fulfilled') return true;
    for (const place of places) results[place] = outcome.reason as Error;
    return false;
  });
}

function strangerOf({ requests }: BoardSubmits): string | null {
  const isProven = requests.some(({ sender }) => sender.is_verified);
  return isProven ? null : requests[0]!.sender.ip;
}
