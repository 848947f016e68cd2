import {
  answerInRounds,
  createGroupBatcher,
  groupRequests,
} from '../../../platform/batch/batcher.ts';
import type { BatchResults } from '../../../platform/batch/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { readBoards } from '../board-reads.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { BoardOpener } from '../copies/board-opener.ts';
import { nameOfSeason } from '../store.ts';
import { lockSeasons } from './change-store.ts';
import type { ChangeTrimmer } from './change-trimmer.ts';
import type { SubmitKeyTrimmer } from './key-trimmer.ts';
import { checkBounds, groupByPlayer, isOver } from './decide-submits.ts';
import type { Submit, Submitted } from './decide-submits.ts';
import { boardOf, storeSubmits } from './store-submits.ts';
import type { Attempt, BoardSubmits, Outcome } from './store-submits.ts';

interface ScoreWriterServices {
  hot: GroupedDatabase;
  copies: BoardCopies;
  opener: Pick<BoardOpener, 'open'>;
  trimmer: ChangeTrimmer;
  keys: SubmitKeyTrimmer;
  clock: Clock;
}

/** The results of a batch. Null: the board must be loaded or opened, and the submit be made again. */
type Results = BatchResults<Submitted | null>;

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
  const { hot, copies, opener, keys } = services;
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
          (open, results) => runRound(group, services, open, results),
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
        const batcher = copy.policy === null ? plain : ruled;
        const submitted = await batcher.submit({ ...submit, copy });
        if (submitted === null) continue;
        if (submit.once !== null && copy.policy !== null && copy.policy.keeps !== 'best') {
          keys.note({ ...submit.board, player_id: submit.player_id });
        }
        return submitted;
      }
    },
    /** Refuses new submits and resolves when all accepted ones are answered. */
    async close() {
      await Promise.all([plain.close(), ruled.close()]);
    },
  };
}

export type ScoreWriter = ReturnType<typeof createScoreWriter>;

/**
 * Stores the submits of a batch, and fills in their results. Ranks are computed from the copies, once they
 * have the versions that the statements found or stored.
 * @returns the submits that must be tried again in another round.
 */
async function runRound(
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
    const { attempts, open } = await prepareAttempts(services, database, boards, results);
    for (const { copy } of attempts) {
      copy.writing = written;
      writing.push(copy);
    }
    const outcomes = await storeSubmits(database, attempts, clock(), database !== group);
    return { outcomes, open };
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
    const { outcomes, open } = isLocked
      ? await lockAndAttempt()
      : await group.runAtomically(attempt);
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

interface Prepared {
  attempts: Attempt[];
  /**
   * Submits to boards whose copies do not have the version in the database. Another round reads these boards.
   */
  open: BoardSubmits[];
}

/**
 * Reads the boards whose copies may be older than the database. If a board has to be loaded again, or its
 * season is over, its submits leave the batch: their results are null.
 */
async function prepareAttempts(
  { copies, clock }: ScoreWriterServices,
  database: Queryable,
  boards: readonly BoardSubmits[],
  results: Results,
): Promise<Prepared> {
  const time = clock();
  const prepared: Prepared = { attempts: [], open: [] };
  const unread: { submits: BoardSubmits; known: number }[] = [];
  for (const submits of boards) {
    const { copy, needs } = submits;
    if (copy.is_shared || isOver(copy, time) || needs !== 'nothing') {
      unread.push({ submits, known: copy.version });
    } else {
      prepared.attempts.push(makeAttempt(submits));
    }
  }
  if (unread.length === 0) return prepared;

  const answers = await readBoards(
    database,
    unread.map(({ submits, known }) => ({
      board: boardOf(submits),
      season: null,
      known_version: known,
      entry_numbers: [],
      player_ids: [],
    })),
  );
  for (const [index, { submits, known }] of unread.entries()) {
    const { copy, places } = submits;
    const { state } = answers[index]!;
    const { season } = state;
    const isOpen = season !== null && !isOver(season, time);
    const freshness = isOpen ? await copies.follow(copy, known, state, season) : 'lost';
    if (freshness === 'same') {
      prepared.attempts.push(makeAttempt(submits));
    } else if (freshness === 'newer') {
      prepared.open.push({ ...submits, needs: 'lock' });
    } else {
      copies.forget(copy);
      for (const place of places) results[place] = null;
    }
  }
  return prepared;
}

function makeAttempt(submits: BoardSubmits): Attempt {
  const { copy } = submits;
  const { bounds, order, policy, version } = copy;
  const has_ties = policy !== null && policy.tie_break !== 'none';
  const refused: Attempt['refused'] = [];
  const requests: Submit[] = [];
  const places: number[] = [];
  submits.requests.forEach((submit, index) => {
    const place = submits.places[index]!;
    const error = checkBounds(submit.score, bounds);
    if (error !== null) {
      refused.push({ place, error });
    } else {
      requests.push(
        has_ties || submit.tie_value === null ? submit : { ...submit, tie_value: null },
      );
      places.push(place);
    }
  });
  const players = groupByPlayer(requests, places, order.sort_order);
  return { submits, copy, version, refused, players };
}

/**
 * Fills in the results of an attempt. The attempt's changes must be committed, and the copy must already have
 * them.
 */
function answerSubmits({ copy, refused, decided }: Outcome, results: Results): void {
  for (const { place, error } of refused) results[place] = error;
  const { order } = copy;
  const keeps = copy.policy?.keeps ?? 'best';
  for (const { accepted, best, is_new, entry, hidden } of decided) {
    const rank = hidden
      ? order.rankFor(entry.score, hidden.seq, entry.tie_value)
      : order.rankOf(entry.entry_number);
    const total_entries = order.size + (hidden?.has_public_entry === false ? 1 : 0);
    for (const { submit, place, is_added } of accepted) {
      const updated = submit === best || is_added === true;
      results[place] = { entry, rank, total_entries, is_new: updated && is_new, updated, keeps };
    }
  }
}
