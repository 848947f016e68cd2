import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { networkOf } from '../../../platform/network/network-address.ts';
import { requireWriter } from '../../../platform/players/own-player.ts';
import type { BoardPolicy } from '../rules.ts';
import { findBrokenRule, playerBanned, ruleBroken } from '../rules.ts';
import { badRequest } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import type { BoardKey, Bounds, Entry, SeasonState } from '../store.ts';

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

/** A score as it is stored. */
export interface StoredScore {
  score: number;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  reached_at: string;
}

/** A player on a board before the submits of a batch. */
export interface PlayerState {
  /** The public entry. */
  entry: (StoredScore & { entry_number: number }) | null;
  /** The score that waits for a decision. */
  waiting: (StoredScore & { seq: number }) | null;
  /** The time of the player's last submit that was not refused, according to the ledger. */
  last_submit_ms: number | null;
  is_banned: boolean;
}

export interface LedgerRow {
  player_id: string;
  score: number;
  score_before: number | null;
  outcome: 'new' | 'improved' | 'kept' | 'quarantined' | 'refused';
  rule: BoardRule | null;
  counted_ms: number | null;
  key_id: string;
  is_verified: boolean;
  network: string;
}

/** The decision on the submits of a player in one batch. */
export interface PlayerDecision {
  player_id: string;
  /** The submit that becomes the public entry. */
  entry: Submit | null;
  /** The submit that waits for a decision from now on. */
  waiting: { submit: Submit; rule: BoardRule; score_before: number | null } | null;
  refused: { place: number; error: Error }[];
  accepted: { submit: Submit; place: number }[];
  ledger: LedgerRow[];
}

/**
 * Decides the submits of one player in the order in which they came.
 * @param now The time of all these submits.
 */
export function decideSubmits(
  policy: BoardPolicy | null,
  sort_order: SortOrder,
  { player_id, requests, places }: PlayerSubmits,
  state: PlayerState,
  now: Date,
): PlayerDecision {
  const now_ms = now.getTime();
  const decision: PlayerDecision = {
    player_id,
    entry: null,
    waiting: null,
    refused: [],
    accepted: [],
    ledger: [],
  };
  // Only players with an entry or a waiting score get rows in the ledger: by these, the erasure of a player
  // finds the seasons that it must lock.
  const is_known = state.entry !== null || state.waiting !== null;
  let score_before = state.entry?.score ?? null;
  // Only this rule asks for the time, and most boards have no rules.
  let reached_ms =
    policy === null || policy.max_gain_per_hour === null || state.entry === null
      ? null
      : Date.parse(state.entry.reached_at);
  let waiting_score = state.waiting?.score ?? null;
  let counted_ms = state.last_submit_ms;

  for (const [index, submit] of requests.entries()) {
    const place = places[index]!;
    const { score, sender, limit_reached } = submit;
    const note = (outcome: LedgerRow['outcome'], rule: LedgerRow['rule']) => {
      if (!policy?.keeps_ledger) return;
      const { key_id, is_verified } = sender;
      const network = networkOf(sender.ip);
      const from = { key_id, is_verified, network };
      decision.ledger.push({ player_id, score, score_before, outcome, rule, counted_ms, ...from });
    };
    const refuse = (error: Error) => decision.refused.push({ place, error });
    const beats = (than: number | null) => than === null || isBetter(sort_order, score, than);

    const restriction = policy && findRestriction(policy, submit);
    if (restriction !== null) {
      refuse(restriction);
      continue;
    }
    if (state.is_banned) {
      refuse(playerBanned());
      continue;
    }
    const before = { score: score_before, reached_ms, last_submit_ms: counted_ms };
    const rule = policy && findBrokenRule(policy, sort_order, submit, before, now_ms);
    if (rule !== null && policy?.on_violation === 'refuse') {
      if (is_known) note('refused', rule);
      refuse(ruleBroken(policy, rule));
      continue;
    }
    // A score that begins to wait counts as an entry, too.
    const makes_entry =
      rule === null ? score_before === null : waiting_score === null && beats(score_before);
    if (makes_entry && limit_reached !== null) {
      refuse(limit_reached);
      continue;
    }
    decision.accepted.push({ submit, place });
    counted_ms = now_ms;
    if (!beats(score_before) || (rule !== null && !beats(waiting_score))) {
      note('kept', rule);
    } else if (rule !== null) {
      note('quarantined', rule);
      waiting_score = score;
      decision.waiting = { submit, rule, score_before };
    } else {
      note(score_before === null ? 'new' : 'improved', null);
      score_before = score;
      reached_ms = now_ms;
      decision.entry = submit;
    }
  }
  return decision;
}

function findRestriction({ writes_from }: BoardPolicy, { sender }: Submit): Error | null {
  try {
    requireWriter(sender, writes_from, 'board');
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** The stored entry after a submit. */
export interface Submitted {
  entry: Omit<Entry, 'seq'>;
  rank: number;
  total_entries: number;
  is_new: boolean;
  /** True if the submit changed the entry. */
  updated: boolean;
}
