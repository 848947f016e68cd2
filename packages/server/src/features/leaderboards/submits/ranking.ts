import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { badRequest } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import { nextVersion } from './change-store.ts';
import type { ScoreChange, ScoreChanges } from './change-store.ts';
import type { BoardKey, BoardState, Entry, SeasonState } from '../store.ts';

/** A score as a player sent it. */
export interface Submit {
  board: BoardKey;
  player_id: string;
  score: number;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  /** Null below the limit of entries. At the limit a new entry is refused with this. */
  limit_reached: ApiError | null;
}

/** The outcome of a submit, once the changes are stored. */
export type Decision =
  | { kind: 'refused'; error: ApiError }
  /** The entry stays as it is stored, or as another submit of the same round has made it. */
  | { kind: 'kept'; entry: Entry }
  /** To be stored. */
  | { kind: 'changed'; entry: Entry; is_new: boolean }
  /** Beats another submit of the same player in this round: left for the next round. */
  | { kind: 'deferred' };

/** Whether a score beats the stored one; an equal one does not. */
export const isBetter = (sort_order: SortOrder, score: number, stored: number): boolean =>
  sort_order === 'descending' ? score > stored : score < stored;

/** The 400 for a score outside the bounds of its board, or null. */
export function checkBounds(score: number, { min_score, max_score }: BoardState): ApiError | null {
  if (min_score !== null && score < min_score) {
    return badRequest(`score must be at least ${min_score} on this board`);
  }
  if (max_score !== null && score > max_score) {
    return badRequest(`score must be at most ${max_score} on this board`);
  }
  return null;
}

/** Whether the schedule of the board has ended the season. */
export const isOver = ({ ends_at }: SeasonState, now: Date): boolean =>
  ends_at !== null && ends_at <= now.getTime();

/**
 * Decides submits to one board in the order they came. Each player's entry changes at most once, so
 * that every answer shows an entry that was stored.
 * @param stored The players' entries.
 */
export function decide(
  submits: readonly Submit[],
  state: BoardState & { season: SeasonState },
  stored: readonly Entry[],
  now: Date,
): { decisions: Decision[]; changes: ScoreChanges | null } {
  const { season } = state;
  const entries = new Map(stored.map((entry) => [entry.player_id, entry]));
  const changed = new Set<string>();
  const scores: ScoreChange[] = [];
  let { total_entries, next_entry_number, next_seq } = season;
  const updated_at = now.toISOString();

  const decisions = submits.map((submit): Decision => {
    const { player_id, score, player_name, metadata } = submit;
    const error = checkBounds(score, state);
    if (error !== null) return { kind: 'refused', error };
    const before = entries.get(player_id);
    if (before !== undefined && !isBetter(season.sort_order, score, before.score)) {
      return { kind: 'kept', entry: before };
    }
    if (changed.has(player_id)) return { kind: 'deferred' };
    const is_new = before === undefined;
    if (is_new && submit.limit_reached !== null) {
      return { kind: 'refused', error: submit.limit_reached };
    }
    const entry: Entry = {
      entry_number: before?.entry_number ?? next_entry_number++,
      player_id,
      score,
      seq: next_seq++,
      player_name: player_name ?? before?.player_name ?? null,
      metadata: metadata ?? before?.metadata ?? null,
      updated_at,
    };
    if (is_new) total_entries++;
    entries.set(player_id, entry);
    changed.add(player_id);
    scores.push({ ...entry, is_new, player_name, metadata });
    return { kind: 'changed', entry, is_new };
  });

  if (scores.length === 0) return { decisions, changes: null };
  return {
    decisions,
    changes: {
      season: { ...submits[0]!.board, season: season.number },
      previous_version: season.version,
      version: nextVersion(season.version),
      total_entries,
      next_entry_number,
      next_seq,
      scores,
    },
  };
}
