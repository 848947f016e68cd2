import type { BatchResults } from '../../../platform/batch/rounds.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { nextVersion } from '../seasons/season-versions.ts';
import type { Raised } from '../seasons/season-versions.ts';
import type { Entry, EntryChange } from '../store.ts';
import { improveEntries, insertEntries } from './change-store.ts';
import type { Improved, SeasonScores } from './change-store.ts';
import { groupByPlayer } from './ranking.ts';
import type { PlayerSubmits } from './ranking.ts';
import { boardOf } from './submit-round.ts';
import type { Attempt, BoardSubmits } from './submit-round.ts';

/** The stored entry after a submit. */
export interface Submitted {
  entry: SubmittedEntry;
  rank: number;
  total_entries: number;
  is_new: boolean;
  /** True if the submit changed the entry. */
  updated: boolean;
}

export type SubmittedEntry = Omit<Entry, 'seq'>;

/** The results of a batch. Null: the board must be loaded or opened, and the submit be made again. */
export type Results = BatchResults<Submitted | null>;

/**
 * An attempt whose statements have run. If the statements ran in a
 * transaction, the changes of the attempt hold only after the commit.
 */
export interface Outcome extends Attempt {
  /** The changes of the season, in the order of their versions. */
  changes: { version: number; is_followed: boolean; entries: EntryChange[] }[];
  decided: Decided[];
  /**
   * The submits to store again, because another server has
   * changed the board meanwhile; null if there are none.
   */
  rest: BoardSubmits | null;
}

export interface Decided {
  player: PlayerSubmits;
  kind: 'kept' | 'improved' | 'new';
  entry: SubmittedEntry;
  /** Set for a score that only its player sees; `seq` gives its place among equal scores. */
  hidden?: { seq: number; has_public_entry: boolean };
}

/**
 * Stores the better scores by one statement, and the first scores of players without entries by a second
 * one.
 * @param is_in_transaction True if both statements are committed together later. If
 * it is false, the better scores are already committed when the second statement
 * runs. If the second statement then fails, only the submits of new players fail.
 */
export async function storeAttempts(
  database: Queryable,
  attempts: readonly Attempt[],
  now: Date,
  is_in_transaction: boolean,
): Promise<Outcome[]> {
  const updated_at = now.toISOString();
  const improving = attempts.map((attempt) => toScores(attempt, attempt.version, attempt.players));
  const improved = await improveEntries(database, improving, updated_at);
  const joining: { outcome: Outcome; scores: SeasonScores; players: PlayerSubmits[] }[] = [];
  const outcomes = attempts.map((attempt, board) => {
    const { next_version } = improving[board]!;
    const outcome: Outcome = { ...attempt, changes: [], decided: [], rest: null };
    const absent = addImproved(outcome, improved[board]!, next_version, updated_at);
    const players = refuseAtLimit(outcome, absent);
    if (players.length > 0) {
      const version = outcome.changes.at(-1)?.version ?? attempt.version;
      joining.push({ outcome, players, scores: toScores(attempt, version, players) });
    }
    return outcome;
  });

  const scores = joining.map((each) => each.scores);
  let inserted: (Raised | null)[];
  try {
    inserted = await insertEntries(database, scores, updated_at);
  } catch (error) {
    if (is_in_transaction || outcomes.every(({ changes }) => changes.length === 0)) throw error;
    for (const { outcome, players } of joining) {
      const places = players.flatMap((player) => player.places);
      outcome.refused.push(...places.map((place) => ({ place, error: error as Error })));
    }
    return outcomes;
  }
  for (const [index, { outcome, players }] of joining.entries()) {
    addInserted(outcome, players, inserted[index]!, scores[index]!.next_version, updated_at);
  }
  return outcomes;
}

function toScores(
  { submits, copy }: Attempt,
  version: number,
  players: readonly PlayerSubmits[],
): SeasonScores {
  return {
    season: { ...boardOf(submits), season: copy.season },
    version,
    next_version: nextVersion(version),
    scores: players.map(({ best }) => best),
  };
}

/** Adds the better scores to the outcome. @returns the players without an entry. */
function addImproved(
  outcome: Outcome,
  improved: Improved | null,
  version: number,
  updated_at: string,
): PlayerSubmits[] {
  const { submits, players } = outcome;
  // Another server has changed the board.
  if (improved === null) {
    return retryAll(outcome, submits.needs === 'nothing' ? 'read' : 'lock');
  }
  const { entries, raised } = improved;
  if (raised === null && entries.some((entry) => entry?.score === null)) {
    return retryAll(outcome, 'lock');
  }
  const absent: PlayerSubmits[] = [];
  const changes: EntryChange[] = [];
  for (const [place, player] of players.entries()) {
    const { player_id, best } = player;
    const found = entries[place]!;
    if (found === null) {
      absent.push(player);
      continue;
    }
    const { entry_number, score } = found;
    const player_name = best.player_name ?? found.player_name;
    const metadata = best.metadata ?? found.metadata;
    if (score === null) {
      const entry = { player_id, entry_number, score: best.score, player_name, metadata };
      outcome.decided.push({ player, kind: 'improved', entry: { ...entry, updated_at } });
      changes.push([entry_number, best.score, raised!.first_seq + place]);
    } else {
      const entry = { ...found, player_id, score, updated_at: found.updated_at! };
      outcome.decided.push({ player, kind: 'kept', entry });
    }
  }
  if (raised !== null) {
    outcome.changes.push({ version, is_followed: raised.is_followed, entries: changes });
  }
  return absent;
}

export function retryAll(outcome: Outcome, needs: BoardSubmits['needs']): [] {
  outcome.refused = [];
  outcome.rest = { ...outcome.submits, needs };
  return [];
}

/**
 * Refuses submits that would make an entry past the limit of entries.
 * @returns the players who may get an entry.
 */
function refuseAtLimit(outcome: Outcome, absent: readonly PlayerSubmits[]): PlayerSubmits[] {
  return absent.flatMap((player) => {
    if (player.requests.every(({ limit_reached }) => limit_reached === null)) return [player];
    const requests = player.requests.filter(({ limit_reached }) => limit_reached === null);
    const places: number[] = [];
    player.requests.forEach(({ limit_reached }, index) => {
      const place = player.places[index]!;
      if (limit_reached === null) places.push(place);
      else outcome.refused.push({ place, error: limit_reached });
    });
    return groupByPlayer(requests, places, outcome.copy.order.sort_order);
  });
}

function addInserted(
  outcome: Outcome,
  players: readonly PlayerSubmits[],
  raised: Raised | null,
  version: number,
  updated_at: string,
): void {
  if (raised === null) {
    const requests = players.flatMap((player) => player.requests);
    const places = players.flatMap((player) => player.places);
    outcome.rest = { ...outcome.submits, requests, places, needs: 'lock' };
    return;
  }
  const { first_entry_number, first_seq, is_followed } = raised;
  const entries = players.map((player, place): EntryChange => {
    const { player_id, score, player_name, metadata } = player.best;
    const entry_number = first_entry_number + place;
    const entry = { player_id, entry_number, score, player_name, metadata, updated_at };
    outcome.decided.push({ player, kind: 'new', entry });
    return [entry_number, score, first_seq + place];
  });
  outcome.changes.push({ version, is_followed, entries });
}

/**
 * Fills in the results of an attempt. The attempt's changes must be committed, and the copy must already have
 * them.
 */
export function answerSubmits({ copy, refused, decided }: Outcome, results: Results): void {
  for (const { place, error } of refused) results[place] = error;
  const { order } = copy;
  for (const { player, kind, entry, hidden } of decided) {
    const rank = hidden ? order.rankFor(entry.score, hidden.seq) : order.rankOf(entry.entry_number);
    const total_entries = order.size + (hidden?.has_public_entry === false ? 1 : 0);
    for (const [index, request] of player.requests.entries()) {
      const updated = kind !== 'kept' && request === player.best;
      const is_new = updated && kind === 'new';
      results[player.places[index]!] = { entry, rank, total_entries, is_new, updated };
    }
  }
}
