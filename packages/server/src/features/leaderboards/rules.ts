import { BOARD_RULES } from '@overworld/contract/leaderboards/rules';
import type { BoardRule, OnViolation } from '@overworld/contract/leaderboards/rules';
import type { Keeps, TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { joinSql, literal, names, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { ApiError } from '../../platform/errors.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';

const MS_PER_HOUR = 3_600_000;

/** The rules of a board. The columns of the table `leaderboards` have the same names. */
interface BoardRules {
  writes_from: WritesFrom;
  on_violation: OnViolation;
  max_gain: number | null;
  first_gain_from: number | null;
  max_gain_per_hour: number | null;
  min_submit_interval_ms: number | null;
  required_metadata: string[];
  keeps_ledger: boolean;
}

/**
 * The rules of a board, with what its season keeps. The flags `has_bans` and `has_waiting` tell whether a submit
 * must look up the bans or the waiting scores of its player.
 */
export interface BoardPolicy extends BoardRules {
  keeps: Keeps;
  tie_break: TieBreak;
  /** True if some player is banned from the board, or from all boards. */
  has_bans: boolean;
  /** True if scores of the season wait for a decision. */
  has_waiting: boolean;
}

const NO_RULES: BoardRules = {
  writes_from: 'anyone',
  on_violation: 'refuse',
  max_gain: null,
  first_gain_from: null,
  max_gain_per_hour: null,
  min_submit_interval_ms: null,
  required_metadata: [],
  keeps_ledger: false,
};

/** The columns of the table `leaderboards` that have the rules. */
export const RULE_COLUMNS = Object.keys(NO_RULES) as (keyof BoardRules)[];

const ruleMembers = joinSql(
  RULE_COLUMNS.map((column) => sql`${literal(column)}, ${names([column])}`),
  ', ',
);

/**
 * SQL for the policy of a season as JSON.
 * @param season A row with the key of the season and the columns `keeps` and `tie_break`.
 */
export const selectPolicy = (season: Sql): Sql => sql`(
  SELECT json_build_object(
    'keeps', ${season}.keeps,
    'tie_break', ${season}.tie_break,
    ${ruleMembers},
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
  ...NO_RULES,
  keeps: 'best',
  tie_break: 'none',
  has_bans: false,
  has_waiting: false,
};

/** Returns null for a policy that lets every submit pass, so that nothing needs to be read or stored for it. */
export const withoutEmpty = (policy: BoardPolicy): BoardPolicy | null =>
  isEmpty(policy) ? null : policy;

const isEmpty = (policy: BoardPolicy): boolean =>
  policy.keeps === 'best' &&
  policy.tie_break === 'none' &&
  policy.writes_from === 'anyone' &&
  BOARD_RULES.every((rule) => isOff(policy[rule])) &&
  !policy.keeps_ledger &&
  !policy.has_bans &&
  !policy.has_waiting;

const isOff = (setting: number | readonly string[] | null): boolean =>
  setting === null || (typeof setting !== 'number' && setting.length === 0);

/** Tells whether a rule asks about the player's last submit, which must then be read. */
export const asksLastSubmit = (policy: BoardPolicy): boolean =>
  policy.min_submit_interval_ms !== null;

/** A player's public score and last submit; times are in milliseconds since 1970. */
export interface Before {
  score: number | null;
  reached_ms: number | null;
  counted_ms: number | null;
}

/**
 * Finds the first rule that the submit breaks, or null. `score` is the score that the player would have. The gain
 * of a first submit counts from `first_gain_from`, as the gain of one hour; if that setting is null, no rule
 * about gains checks it.
 */
export function findBrokenRule(
  policy: BoardPolicy,
  sort_order: SortOrder,
  { score, metadata }: { score: number; metadata: string | null },
  before: Before,
  now_ms: number,
): BoardRule | null {
  const { required_metadata, min_submit_interval_ms, max_gain, max_gain_per_hour } = policy;
  if (!hasProperties(metadata, required_metadata)) return 'required_metadata';
  const { counted_ms } = before;
  if (min_submit_interval_ms !== null && counted_ms !== null) {
    if (now_ms - counted_ms < min_submit_interval_ms) return 'min_submit_interval_ms';
  }
  const from = before.score ?? policy.first_gain_from;
  if (from === null) return null;
  const gain = sort_order === 'descending' ? score - from : from - score;
  if (max_gain !== null && gain > max_gain) return 'max_gain';
  if (max_gain_per_hour !== null && gain > 0) {
    const { reached_ms } = before;
    const hours = reached_ms === null ? 1 : Math.max(0, now_ms - reached_ms) / MS_PER_HOUR;
    if (gain > max_gain_per_hour * hours) return 'max_gain_per_hour';
  }
  return null;
}

function hasProperties(metadata: string | null, required: readonly string[]): boolean {
  if (required.length === 0) return true;
  if (metadata === null) return false;
  const properties = parseJsonText(metadata) as Record<string, unknown>;
  return required.every((name) => Object.hasOwn(properties, name) && properties[name] !== null);
}

/** Makes the 403 error for a submit that breaks a rule, on a board that refuses such submits. */
export const ruleBroken = (policy: BoardPolicy, rule: BoardRule): ApiError =>
  new ApiError(403, describeRule(policy, rule), { code: 'SCORE_BREAKS_RULE', rule });

function describeRule(policy: BoardPolicy, rule: BoardRule): string {
  switch (rule) {
    case 'required_metadata':
      return `metadata must have ${policy.required_metadata.join(', ')} on this board`;
    case 'min_submit_interval_ms':
      return `a player may submit to this board every ${policy.min_submit_interval_ms} ms at most`;
    case 'max_gain':
      return `score may improve by at most ${policy.max_gain} a submit on this board`;
    case 'max_gain_per_hour':
      return `score may improve by at most ${policy.max_gain_per_hour} an hour on this board`;
  }
}

export const playerBanned = () =>
  new ApiError(403, 'This player is banned from this board', { code: 'PLAYER_BANNED' });
