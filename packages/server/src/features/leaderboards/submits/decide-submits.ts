import { MAX_SUM } from '@overworld/contract/leaderboards/kept-scores';
import type { Keeps } from '@overworld/contract/leaderboards/kept-scores';
import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { networkOf } from '../../../platform/network/network-address.ts';
import { requireWriter } from '../../../platform/players/own-player.ts';
import type { BoardPolicy } from '../rules.ts';
import { findBrokenRule, playerBanned, ruleBroken } from '../rules.ts';
import { badRequest, conflict } from '../../../platform/errors.ts';
import type { ApiError } from '../../../platform/errors.ts';
import type { BoardKey, Bounds, Entry, SeasonState } from '../store.ts';
import { ranksBefore } from '../tie-break.ts';
import type { TiedScore } from '../tie-break.ts';

/** The sender of a score. */
export interface Sender {
  key_id: string;
  /** True if the sender is the studio's own server. */
  is_server: boolean;
  /** True if a player token or a server key proves who the player is. */
  is_verified: boolean;
  ip: string;
}

/** The name of a request that is stored once, however often it is sent. */
export interface Once {
  /** SHA-256 of the `Idempotency-Key`, hexadecimal. */
  key: string;
  /** SHA-256 of the body, hexadecimal. */
  body_hash: string;
}

/** A score as a player sent it. */
export interface Submit {
  board: BoardKey;
  player_id: string;
  score: number;
  /** Null on boards without a tie-break. */
  tie_value: number | null;
  player_name: string | null;
  /** JSON text. */
  metadata: string | null;
  /** Null without an `Idempotency-Key`. */
  once: Once | null;
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
export interface StoredScore extends TiedScore {
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
  counted_ms: number | null;
  is_banned: boolean;
  /** The hash of the body for each of the player's stored keys that were asked for; null if none was. */
  stored_keys: ReadonlyMap<string, string> | null;
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
  /** The submit that becomes the public entry. On a board that keeps the sum, its score is the sum. */
  entry: Submit | null;
  /** The submit that waits for a decision from now on. */
  waiting: { submit: Submit; rule: BoardRule; score_before: number | null } | null;
  refused: { place: number; error: Error }[];
  /** `is_added`: the submit is part of the sum that is stored. */
  accepted: { submit: Submit; place: number; is_added?: boolean }[];
  ledger: LedgerRow[];
  /** The keys to store. */
  keys: Once[];
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
    keys: [],
  };
  const keeps = policy?.keeps ?? 'best';
  const tie_break = policy?.tie_break ?? 'none';
  // Only players with an entry or a waiting score get rows in the ledger: by these, the erasure of a player
  // finds the seasons that it must lock.
  const is_known = state.entry !== null || state.waiting !== null;
  let entry: TiedScore | null = state.entry;
  // Only this rule asks for the time, and most boards have no rules.
  let reached_ms =
    policy === null || policy.max_gain_per_hour === null || state.entry === null
      ? null
      : Date.parse(state.entry.reached_at);
  let waiting: TiedScore | null = state.waiting;
  let counted_ms = state.counted_ms;

  for (const [index, submit] of requests.entries()) {
    const place = places[index]!;
    const { score, sender, limit_reached } = submit;
    const note = (outcome: LedgerRow['outcome'], rule: LedgerRow['rule']) => {
      if (!policy?.keeps_ledger) return;
      const { key_id, is_verified } = sender;
      const network = networkOf(sender.ip);
      const from = { key_id, is_verified, network };
      const score_before = entry?.score ?? null;
      decision.ledger.push({ player_id, score, score_before, outcome, rule, counted_ms, ...from });
    };
    const refuse = (error: Error) => decision.refused.push({ place, error });
    const beats = (than: TiedScore | null) =>
      than === null ||
      (tie_break === 'none'
        ? isBetter(sort_order, score, than.score)
        : ranksBefore({ sort_order, tie_break }, submit, than));

    const restriction = policy && findRestriction(policy, submit);
    if (restriction !== null) {
      refuse(restriction);
      continue;
    }
    if (state.is_banned) {
      refuse(playerBanned());
      continue;
    }
    if (keeps !== 'best') {
      const repeated = findRepeat(submit, state, decision);
      if (repeated !== null) {
        if (repeated instanceof Error) refuse(repeated);
        else decision.accepted.push({ submit, place });
        continue;
      }
    }
    const next = keeps === 'sum' ? addScore(submit, entry, decision.entry) : submit;
    if (next instanceof Error) {
      refuse(next);
      continue;
    }
    // A sum begins at 0.
    const score_before = entry?.score ?? (keeps === 'sum' ? 0 : null);
    const before = { score: score_before, reached_ms, counted_ms };
    const rule =
      policy &&
      findBrokenRule(
        policy,
        sort_order,
        { score: next.score, metadata: submit.metadata },
        before,
        now_ms,
      );
    // Settings of the next season may quarantine scores while this one still keeps the latest or the sum.
    if (rule !== null && (policy?.on_violation === 'refuse' || keeps !== 'best')) {
      if (is_known) note('refused', rule);
      refuse(ruleBroken(policy!, rule));
      continue;
    }
    // A score that begins to wait counts as an entry, too.
    const makes_entry = rule === null ? entry === null : waiting === null && beats(entry);
    if (makes_entry && limit_reached !== null) {
      refuse(limit_reached);
      continue;
    }
    const changes = CHANGES_ENTRY[keeps](entry, submit, beats);
    decision.accepted.push({ submit, place, is_added: keeps === 'sum' && changes });
    if (submit.once !== null && keeps !== 'best') decision.keys.push(submit.once);
    counted_ms = now_ms;
    if (!changes || (rule !== null && !beats(waiting))) {
      note('kept', rule);
    } else if (rule !== null) {
      note('quarantined', rule);
      decision.waiting = { submit, rule, score_before: entry?.score ?? null };
      waiting = submit;
    } else {
      note(entry === null ? 'new' : 'improved', null);
      entry = next;
      reached_ms = now_ms;
      decision.entry = next;
    }
  }
  return decision;
}

/** Tells for each kind of board whether a submit changes the entry of its player. */
const CHANGES_ENTRY: Readonly<
  Record<
    Keeps,
    (entry: TiedScore | null, submit: Submit, beats: (than: TiedScore | null) => boolean) => boolean
  >
> = {
  best: (entry, _submit, beats) => beats(entry),
  latest: () => true,
  sum: (entry, { score, tie_value }) =>
    entry === null || score !== 0 || (tie_value !== null && tie_value !== entry.tie_value),
};

/**
 * Adds a score to the sum of its player.
 * @param earlier The sum with the earlier submits of the same batch; null if there are none.
 * @returns the submit with the sum as its score, or the error 400.
 */
function addScore(
  submit: Submit,
  entry: TiedScore | null,
  earlier: Submit | null,
): Submit | ApiError {
  const { score } = submit;
  if (!Number.isSafeInteger(score)) {
    return badRequest('score must be a whole number on a board that keeps the sum');
  }
  const sum = (entry?.score ?? 0) + score;
  if (!Number.isSafeInteger(sum)) {
    const bound = sum > 0 ? `greater than ${MAX_SUM}` : `less than -${MAX_SUM}`;
    return badRequest(`score would make the sum of the player ${bound}`);
  }
  return {
    ...submit,
    score: sum,
    tie_value: submit.tie_value ?? entry?.tie_value ?? null,
    player_name: submit.player_name ?? earlier?.player_name ?? null,
    metadata: submit.metadata ?? earlier?.metadata ?? null,
  };
}

/**
 * Finds out whether an earlier submit had the same `Idempotency-Key`.
 * @returns null for a new submit, `repeated` for one that was stored before, or the error that answers it.
 */
function findRepeat(
  { once }: Submit,
  { stored_keys, entry }: PlayerState,
  decision: PlayerDecision,
): 'repeated' | ApiError | null {
  if (once === null) return null;
  const in_batch = decision.keys.find(({ key }) => key === once.key);
  const body_hash = in_batch?.body_hash ?? stored_keys?.get(once.key);
  if (body_hash === undefined) return null;
  if (body_hash !== once.body_hash) {
    return badRequest('Idempotency-Key was already used with another body');
  }
  if (entry !== null || decision.entry !== null) return 'repeated';
  return conflict('The score of this Idempotency-Key is no longer on the board');
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
  keeps: Keeps;
}
