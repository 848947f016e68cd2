import type { BatchResults, RequestGroup } from '../../../platform/batch/rounds.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import { readBoards } from '../store.ts';
import type { BoardKey, Entry } from '../store.ts';
import type { ScoreChanges } from './change-store.ts';
import { checkBounds, decide, isOver } from './ranking.ts';
import type { Decision, Submit } from './ranking.ts';

/** The stored entry after a submit. */
export interface Submitted {
  entry: Entry;
  rank: number;
  total_entries: number;
  is_new: boolean;
  /** Whether the submit changed the entry. */
  updated: boolean;
}

export type Results = BatchResults<Submitted>;

/** Submits of a batch to one board. */
export interface BoardSubmits extends RequestGroup<Submit> {
  /** Another server was faster in the round before: this time the season is locked first. */
  is_overtaken: boolean;
}

export const boardOf = ({ requests }: BoardSubmits): BoardKey => requests[0]!.board;

/** Submits to one board with their outcomes at the version that was read. */
export interface Decided {
  submits: BoardSubmits;
  /** The copy, at the version that was read. */
  copy: BoardCopy;
  decisions: Decision[];
  changes: ScoreChanges | null;
}

export interface Round {
  decided: Decided[];
  /** Submits to boards whose copy and database were not at one version: to be read again. */
  open: BoardSubmits[];
  /** Submits to boards without a season, or whose season is over. */
  unopened: BoardSubmits[];
}

/** Reads the boards and the players' entries, and decides every submit. */
export async function decideSubmits(
  { copies, clock }: { copies: BoardCopies; clock: Clock },
  database: Queryable,
  boards: readonly BoardSubmits[],
  loaded: readonly (BoardCopy | null)[],
  results: Results,
): Promise<Round> {
  const known = loaded.map((copy) => copy?.version ?? null);
  const answers = await readBoards(
    database,
    boards.map((submits, index) => ({
      board: boardOf(submits),
      season: null,
      known_version: known[index]!,
      entry_numbers: [],
      player_ids: new Set(submits.requests.map(({ player_id }) => player_id)),
    })),
  );
  const time = clock();
  const round: Round = { decided: [], open: [], unopened: [] };
  for (const [index, submits] of boards.entries()) {
    const { state, entries } = answers[index]!;
    const { season } = state;
    const copy = loaded[index]!;
    if (season === null || isOver(season, time)) {
      const errors = submits.requests.map(({ score }) => checkBounds(score, state));
      // A season is opened only for a score that the board accepts.
      if (errors.includes(null)) round.unopened.push(submits);
      else errors.forEach((error, at) => (results[submits.places[at]!] = error!));
    } else if (copy !== null && (await copies.follow(copy, known[index]!, season)) === 'same') {
      const decided = decide(submits.requests, { ...state, season }, entries, time);
      round.decided.push({ submits, copy, ...decided });
    } else {
      round.open.push({ ...submits, is_overtaken: true });
    }
  }
  return round;
}

/**
 * Fills in results, after the changes were stored or overtaken.
 * @returns the submits that need another round, or null.
 */
export function answerSubmits(
  { submits, copy, decisions, changes }: Decided,
  is_stored: boolean,
  results: Results,
): BoardSubmits | null {
  if (changes !== null && !is_stored) return { ...submits, is_overtaken: true };
  const rest: BoardSubmits = { ...submits, requests: [], places: [], is_overtaken: false };
  decisions.forEach((decision, index) => {
    const place = submits.places[index]!;
    if (decision.kind === 'refused') {
      results[place] = decision.error;
    } else if (decision.kind === 'deferred') {
      rest.requests.push(submits.requests[index]!);
      rest.places.push(place);
    } else {
      results[place] = {
        entry: decision.entry,
        rank: copy.order.rankOf(decision.entry.entry_number),
        total_entries: copy.order.size,
        is_new: decision.kind === 'changed' && decision.is_new,
        updated: decision.kind === 'changed',
      };
    }
  });
  return rest.requests.length === 0 ? null : rest;
}
