import type { BatchResults, RequestGroup } from '../../../platform/batch/rounds.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import { readBoards } from '../board-reads.ts';
import type { BoardKey } from '../store.ts';
import { checkBounds, groupByPlayer, isOver } from './ranking.ts';
import type { PlayerSubmits, Submit } from './ranking.ts';

/** A submit with a copy of its board, which is good even if memory has no room for it. */
export interface LoadedSubmit extends Submit {
  copy: BoardCopy;
}

/** The submits of a batch to one board. */
export interface BoardSubmits extends RequestGroup<Submit> {
  copy: BoardCopy;
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
}

/**
 * Reads the boards whose copies may be older than the database. If a board has to be loaded again, or its
 * season is over, its submits leave the batch: their results are null.
 */
export async function prepareAttempts(
  { copies, clock }: { copies: BoardCopies; clock: Clock },
  database: Queryable,
  boards: readonly BoardSubmits[],
  results: BatchResults<unknown>,
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
