import type { BatchResults, RequestGroup } from '../../../platform/batch/rounds.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import { readBoards } from '../board-reads.ts';
import type { BoardKey } from '../store.ts';
import { checkBounds, groupByPlayer, isOver } from './ranking.ts';
import type { PlayerSubmits, Submit } from './ranking.ts';

/** The submits of a batch to one board. */
export interface BoardSubmits extends RequestGroup<Submit> {
  /**
   * `read`: another server was faster, so the state of the board is read before the next try. `lock`:
   * another server was faster a second time, so the season is locked for the next try.
   */
  needs: 'nothing' | 'read' | 'lock';
}

export const boardOf = ({ requests }: BoardSubmits): BoardKey => requests[0]!.board;

/**
 * Submits to one board, decided by this server's copy of the board. They are stored only if the season in the
 * database still has the version of the copy.
 */
export interface Attempt {
  submits: BoardSubmits;
  copy: BoardCopy;
  /** The copy's version. */
  version: number;
  /** Submits that are not stored, such as those outside the bounds of the board. */
  refused: { place: number; error: Error }[];
  players: PlayerSubmits[];
}

export interface Prepared {
  attempts: Attempt[];
  /**
   * Submits to boards whose copies do not have the version in the database. Another round reads these boards.
   */
  open: BoardSubmits[];
  /** Submits to boards that have no season, or whose season is over. */
  unopened: BoardSubmits[];
}

/**
 * Reads the boards whose copies may be older than the database. Submits to boards without a season that are
 * out of bounds get their errors here.
 */
export async function prepareAttempts(
  { copies, clock }: { copies: BoardCopies; clock: Clock },
  database: Queryable,
  boards: readonly BoardSubmits[],
  loaded: readonly (BoardCopy | null)[],
  results: BatchResults<unknown>,
): Promise<Prepared> {
  const time = clock();
  const prepared: Prepared = { attempts: [], open: [], unopened: [] };
  const unread: { submits: BoardSubmits; copy: BoardCopy | null; known: number | null }[] = [];
  for (const [index, submits] of boards.entries()) {
    const copy = loaded[index]!;
    const isBehind = copy === null || copy.is_shared || isOver(copy, time);
    if (isBehind || submits.needs !== 'nothing') {
      unread.push({ submits, copy, known: copy?.version ?? null });
    } else {
      prepared.attempts.push(makeAttempt(submits, copy));
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
  for (const [index, { submits, copy, known }] of unread.entries()) {
    const { state } = answers[index]!;
    const { season } = state;
    if (season === null || isOver(season, time)) {
      const errors = submits.requests.map(({ score }) => checkBounds(score, state));
      // A season is opened only for a score that the board accepts.
      if (errors.includes(null)) prepared.unopened.push(submits);
      else errors.forEach((error, at) => (results[submits.places[at]!] = error!));
    } else if (copy !== null && (await copies.follow(copy, known!, state, season)) === 'same') {
      prepared.attempts.push(makeAttempt(submits, copy));
    } else {
      prepared.open.push({ ...submits, needs: 'lock' });
    }
  }
  return prepared;
}

function makeAttempt(submits: BoardSubmits, copy: BoardCopy): Attempt {
  const { bounds, order, version } = copy;
  const refused: Attempt['refused'] = [];
  const requests: Submit[] = [];
  const places: number[] = [];
  submits.requests.forEach((submit, index) => {
    const place = submits.places[index]!;
    const error = checkBounds(submit.score, bounds);
    if (error !== null) {
      refused.push({ place, error });
    } else {
      requests.push(submit);
      places.push(place);
    }
  });
  const players = groupByPlayer(requests, places, order.sort_order);
  return { submits, copy, version, refused, players };
}
