import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { badRequest } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import type { BoardKey, Bounds, SeasonState } from '../store.ts';

/** The sender of a score. */
export interface Sender {
  key_id: string;
  /** True if the sender is the studio's own server. */
  is_server: boolean;
  /** True if a player token or a server key proves who the player is. */
  is_verified: boolean;
  ip: string;
}

/** A score as a player sent it. */
export interface Submit {
  board: BoardKey;
  player_id: string;
  score: number;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  sender: Sender;
  /** The error with which a new entry is refused; null while the board is below its limit of entries. */
  limit_reached: ApiError | null;
}

/** Returns the error 400 for a score outside the bounds of its board, or null for a score inside them. */
export function checkBounds(score: number, { min_score, max_score }: Bounds): ApiError | null {
  if (min_score !== null && score < min_score) {
    return badRequest(`score must be at least ${min_score} on this board`);
  }
  if (max_score !== null && score > max_score) {
    return badRequest(`score must be at most ${max_score} on this board`);
  }
  return null;
}

/** Tells whether a score ranks before another one; false for equal scores. */
export const isBetter = (sort_order: SortOrder, score: number, than: number): boolean =>
  sort_order === 'descending' ? score > than : score < than;

/** Tells whether the schedule of the board has ended the season. */
export const isOver = ({ ends_at }: Pick<SeasonState, 'ends_at'>, now: Date): boolean =>
  ends_at !== null && ends_at <= now.getTime();

/** The submits of one player in a batch. They came at the same time, so the best one counts as the first. */
export interface PlayerSubmits {
  player_id: string;
  requests: Submit[];
  /** The place of each request in the batch. */
  places: number[];
  /** The best submit; of several best ones, the first in the batch. */
  best: Submit;
}

/** Groups submits by player. @param places The place of each submit in the batch. */
export function groupByPlayer(
  submits: readonly Submit[],
  places: readonly number[],
  sort_order: SortOrder,
): PlayerSubmits[] {
  const players = new Map<string, PlayerSubmits>();
  submits.forEach((submit, index) => {
    const { player_id, score } = submit;
    const place = places[index]!;
    const player = players.get(player_id);
    if (player === undefined) {
      players.set(player_id, { player_id, requests: [submit], places: [place], best: submit });
      return;
    }
    player.requests.push(submit);
    player.places.push(place);
    if (isBetter(sort_order, score, player.best.score)) player.best = submit;
  });
  return [...players.values()];
}
