import type { BoardRule } from '@overworld/contract/leaderboards/rules';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { ApiError } from '../../../platform/errors.ts';
import { parseJsonText } from '../../../platform/json/parse-json.ts';
import type { BoardPolicy } from './policy.ts';

const MS_PER_HOUR = 3_600_000;

/** A player's public score and last submit; times are in milliseconds since 1970. */
export interface Before {
  score: number | null;
  reached_ms: number | null;
  last_submit_ms: number | null;
}

/**
 * Finds the first rule that the submit breaks, or null. The gain of a first submit counts from
 * `first_gain_from`, as the gain of one hour; if that setting is null, no rule about gains checks it.
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
  const { last_submit_ms } = before;
  if (min_submit_interval_ms !== null && last_submit_ms !== null) {
    if (now_ms - last_submit_ms < min_submit_interval_ms) return 'min_submit_interval_ms';
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

function hasProperties(metadata: string | null, names: readonly string[]): boolean {
  if (names.length === 0) return true;
  if (metadata === null) return false;
  const properties = parseJsonText(metadata) as Record<string, unknown>;
  return names.every((name) => Object.hasOwn(properties, name) && properties[name] !== null);
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
