import type { Clock } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { BoardCopies, BoardCopy } from '../copies/board-copies.ts';
import type { ScoreChanges } from './change-store.ts';
import { checkBounds, decide, isOver } from './ranking.ts';
import type { Decision, Submit } from './ranking.ts';
import type { Results } from './score-writer.ts';
import { readBoards } from '../store.ts';
import type { BoardKey, BoardState } from '../store.ts';

/** Submits of a batch to one board, in the order they came, with their places in the batch. */
export interface Group {
  /** Its board's, for sorting. */
  name: string;
  board: BoardKey;
  submits: Submit[];
  places: number[];
  /** Another server was faster in the round before: this time its season is locked first. */
  overtaken: boolean;
}

/** A group at the moment that was read. */
export interface Decided {
  group: Group;
  /** At the version that was read; null when all submits are refused. */
  copy: BoardCopy | null;
  decisions: Decision[];
  changes: ScoreChanges | null;
}

/** What was read and decided. */
export interface Round {
  decided: Decided[];
  /** Groups whose copy and database were not at one version: to be read again. */
  open: Group[];
  /** Groups whose board has no season, or one that is over. */
  unopened: Group[];
}

/** Reads the boards and the players' entries, and decides every submit. */
export async function decideGroups(
  { copies, clock }: { copies: BoardCopies; clock: Clock },
  database: Queryable,
  groups: readonly Group[],
  loaded: readonly (BoardCopy | null)[],
): Promise<Round> {
  const known = loaded.map((copy) => copy?.version ?? null);
  const answers = await readBoards(
    database,
    groups.map(({ board, submits }, index) => ({
      board,
      season: null,
      known_version: known[index]!,
      entry_numbers: [],
      player_ids: new Set(submits.map(({ player_id }) => player_id)),
    })),
  );
  const time = clock();
  const round: Round = { decided: [], open: [], unopened: [] };
  for (const [index, group] of groups.entries()) {
    const { state, entries } = answers[index]!;
    const { season } = state;
    const copy = loaded[index]!;
    if (season === null || isOver(season, time)) {
      refuseOrOpen(group, state, round);
    } else if (copy !== null && (await copies.follow(copy, known[index]!, season)) === 'same') {
      const decided = decide(group.submits, { ...state, season }, entries, time);
      round.decided.push({ group, copy, ...decided });
    } else {
      round.open.push({ ...group, overtaken: true });
    }
  }
  return round;
}

/** A season is opened only for a score that the board accepts. */
function refuseOrOpen(group: Group, state: BoardState, round: Round): void {
  const errors = group.submits.map(({ score }) => checkBounds(score, state));
  if (errors.includes(null)) {
    round.unopened.push(group);
  } else {
    const decisions = errors.map((error): Decision => ({ kind: 'refused', error: error! }));
    round.decided.push({ group, copy: null, decisions, changes: null });
  }
}

/**
 * Fills in the results of a group whose changes, if there are any, have been tried to be stored.
 * @returns what needs another round, or null.
 */
export function answerGroup(
  { group, copy, decisions, changes }: Decided,
  stored: boolean,
  results: Results,
): Group | null {
  if (changes !== null && !stored) return { ...group, overtaken: true };
  const rest: Group = { ...group, submits: [], places: [], overtaken: false };
  decisions.forEach((decision, index) => {
    const place = group.places[index]!;
    switch (decision.kind) {
      case 'refused':
        results[place] = decision.error;
        break;
      case 'deferred':
        rest.submits.push(group.submits[index]!);
        rest.places.push(place);
        break;
      default: {
        const { order } = copy!;
        results[place] = {
          entry: decision.entry,
          rank: order.rankOf(decision.entry.entry_number),
          total_entries: order.size,
          is_new: decision.kind === 'changed' && decision.is_new,
          updated: decision.kind === 'changed',
        };
      }
    }
  });
  return rest.submits.length === 0 ? null : rest;
}
