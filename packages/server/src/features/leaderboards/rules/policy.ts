import type { OnViolation } from '@overworld/contract/leaderboards/rules';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

/**
 * The rules of a board. The flags `has_bans` and `has_waiting` tell whether a submit must look up the
 * bans or the waiting scores of its player.
 */
export interface BoardPolicy {
  writes_from: WritesFrom;
  on_violation: OnViolation;
  max_gain: number | null;
  first_gain_from: number | null;
  max_gain_per_hour: number | null;
  min_submit_interval_ms: number | null;
  required_metadata: string[];
  keeps_ledger: boolean;
  /** True if some player is banned from the board, or from all boards. */
  has_bans: boolean;
  /** True if scores of the season wait for a decision. */
  has_waiting: boolean;
}

/** SQL for the policy of a season as JSON. @param season A row with the key of the season. */
export const selectPolicy = (season: Sql): Sql => sql`(
  SELECT json_build_object(
    'writes_from', writes_from,
    'on_violation', on_violation,
    'max_gain', max_gain,
    'first_gain_from', first_gain_from,
    'max_gain_per_hour', max_gain_per_hour,
    'min_submit_interval_ms', min_submit_interval_ms,
    'required_metadata', required_metadata,
    'keeps_ledger', keeps_ledger,
    'has_bans', EXISTS (
      SELECT FROM leaderboard_decisions AS ban
      WHERE ban.game_id = ${season}.game_id AND ban.environment = ${season}.environment
        AND ban.board_name = ANY(ARRAY['', ${season}.board_name])
        AND kind = 'ban' AND undone_at IS NULL),
    'has_waiting', EXISTS (
      SELECT FROM leaderboard_held_scores AS held
      WHERE held.game_id = ${season}.game_id AND held.environment = ${season}.environment
        AND held.board_name = ${season}.board_name AND held.season = ${season}.season
        AND state = 'waiting'))
  FROM leaderboards AS ruled
  WHERE ruled.game_id = ${season}.game_id AND ruled.board_name = ${season}.board_name)`;

/** The policy of a board without rules. */
export const EMPTY_POLICY: BoardPolicy = {
  writes_from: 'anyone',
  on_violation: 'refuse',
  max_gain: null,
  first_gain_from: null,
  max_gain_per_hour: null,
  min_submit_interval_ms: null,
  required_metadata: [],
  keeps_ledger: false,
  has_bans: false,
  has_waiting: false,
};

/** Tells whether the policy lets every submit pass, so that nothing needs to be read or stored for it. */
export const isEmptyPolicy = (policy: BoardPolicy): boolean =>
  policy.writes_from === 'anyone' &&
  policy.max_gain === null &&
  policy.max_gain_per_hour === null &&
  policy.min_submit_interval_ms === null &&
  policy.required_metadata.length === 0 &&
  !policy.keeps_ledger &&
  !policy.has_bans &&
  !policy.has_waiting;
