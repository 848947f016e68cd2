import type { Keeps } from '@overworld/contract/leaderboards/kept-scores';
import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import { asksLastSubmit } from '../rules.ts';
import type { BoardPolicy } from '../rules.ts';
import type { Settings } from '../seasons/settings-store.ts';
import { checkBounds, decideSubmits } from '../submits/decide-submits.ts';
import type { BoardKey } from '../store.ts';
import type { Earlier, PastSubmit } from './past-submits.ts';
import type { StoredScore, Submit } from '../submits/decide-submits.ts';

/** The outcome of a submit by the settings of a board: the setting that stops it, or null if none does. */
export type StoppedBy = BoardRule | 'bounds' | 'writes_from' | 'unknown' | null;

/** A player on the board, as it would be with the settings, and as it was. */
interface Player {
  season: number;
  score: number | null;
  /** When the score was reached; null if that is not known. */
  reached_ms: number | null;
  waiting: number | null;
  counted_ms: number | null;
  /** The public score that the ledger should show before the next submit. */
  real_score: number | null;
}

const BOARD: BoardKey = { game_id: '', environment: 'production', board_name: '' };

/**
 * Submits the past submits of a board again, as if it had had other settings, but the same entries at the first
 * of them, and no scores that wait. The settings decide by the same function as for new submits.
 * @param kept What the board kept when the submits came.
 * @param server_keys The ids of the keys that are server keys.
 */
export function createReplay(settings: Settings, kept: Keeps, server_keys: ReadonlySet<string>) {
  const players = new Map<string, Player>();
  const policy: BoardPolicy = {
    ...settings,
    // The ledger has neither the second numbers nor metadata.
    tie_break: 'none',
    required_metadata: [],
    keeps_ledger: false,
    has_bans: false,
    has_waiting: false,
  };
  const { order } = settings;

  /** Finds the player as it was before the submit. */
  const meet = (past: PastSubmit, earlier: Earlier | undefined): Player => {
    const { player_id, season, score_before } = past;
    const known = players.get(player_id);
    if (known?.season === season && known.real_score === score_before) return known;
    // The player is met for the first time or in a new season, or somebody has changed its entry meanwhile.
    const { reached_ms = null, counted_ms = null } =
      known === undefined ? (earlier ?? {}) : { counted_ms: known.counted_ms };
    const met: Player = {
      season,
      score: score_before,
      reached_ms: score_before === null ? null : reached_ms,
      waiting: null,
      counted_ms,
      real_score: score_before,
    };
    players.set(player_id, met);
    return met;
  };

  return {
    /** True if the settings ask about the times of earlier submits. */
    asks_earlier: policy.max_gain_per_hour !== null || asksLastSubmit(policy),
    knows: (player_id: string): boolean => players.has(player_id),
    /** The players whose submits were submitted again. */
    get player_count(): number {
      return players.size;
    },
    /**
     * Submits again. The submits must come in their order.
     * @param earlier The player before the first submit that is submitted again, if it is asked for.
     * @returns the setting that stops the submit; `unknown` if that depends on what the ledger does not have.
     */
    submit(past: PastSubmit, earlier: Earlier | undefined): StoppedBy {
      const { player_id, score, submitted_ms, key_id, is_verified } = past;
      const player = meet(past, earlier);
      const is_real = past.outcome === 'new' || past.outcome === 'improved';
      const real = kept === 'sum' ? (past.score_before ?? 0) + score : score;
      player.real_score = is_real ? real : past.score_before;
      if (checkBounds(score, settings) !== null) return 'bounds';
      const submit: Submit = {
        board: BOARD,
        player_id,
        score,
        tie_value: null,
        once: null,
        player_name: null,
        metadata: null,
        sender: { key_id, is_server: server_keys.has(key_id), is_verified, ip: '' },
        limit_reached: null,
      };
      const is_blind =
        policy.max_gain_per_hour !== null && player.score !== null && player.reached_ms === null;
      const { entry, waiting, refused, accepted } = decideSubmits(
        is_blind ? { ...policy, max_gain_per_hour: null } : policy,
        order,
        { player_id, requests: [submit], places: [0], best: submit },
        {
          entry: toEntry(player.score, player.reached_ms),
          waiting: player.waiting === null ? null : { ...toScore(player.waiting, null), seq: 0 },
          counted_ms: player.counted_ms,
          is_banned: false,
          stored_keys: null,
        },
        new Date(submitted_ms),
      );
      if (accepted.length > 0) player.counted_ms = submitted_ms;
      if (waiting !== null) {
        player.waiting = score;
        return waiting.rule;
      }
      const [refusal] = refused;
      if (refusal !== undefined) {
        const { rule } = (refusal.error as { body?: { rule?: BoardRule } }).body ?? {};
        return rule ?? 'writes_from';
      }
      if (entry === null) return null;
      player.score = entry.score;
      player.reached_ms = submitted_ms;
      return is_blind ? 'unknown' : null;
    },
  };
}

const toScore = (score: number, reached_ms: number | null): StoredScore => ({
  score,
  tie_value: null,
  player_name: null,
  metadata: null,
  reached_at: new Date(reached_ms ?? 0).toISOString(),
});

const toEntry = (score: number | null, reached_ms: number | null) =>
  score === null ? null : { ...toScore(score, reached_ms), entry_number: 0 };
