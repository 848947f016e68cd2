import type { TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { SortOrder } from '@overworld/contract/leaderboards/settings';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** The rule by which scores rank, before `seq` decides. */
export interface RankRule {
  sort_order: SortOrder;
  tie_break: TieBreak;
}

/** A score with the second number that was sent with it. */
export interface TiedScore {
  score: number;
  tie_value: number | null;
}

/**
 * Returns the number by which equal scores rank, the lowest first. Scores without a `tie_value` come last, and
 * without a tie-break all are equal.
 */
export function tieKeyOf(tie_break: TieBreak, tie_value: number | null): number {
  if (tie_break === 'none') return 0;
  if (tie_value === null) return Infinity;
  return tie_break === 'lower' ? tie_value : 0 - tie_value;
}

/** SQL for `tieKeyOf`. @param tie_break SQL for the setting of the season. */
export const selectTieKey = (tie_break: Sql, tie_value: Sql): Sql => sql`
  CASE ${tie_break} WHEN 'lower' THEN coalesce(${tie_value}, 'Infinity'::float8)
    WHEN 'higher' THEN coalesce(-${tie_value}, 'Infinity'::float8)
    ELSE 0 END`;

/** Tells whether a score ranks before another one; false if only `seq` decides between them. */
export function ranksBefore(
  { sort_order, tie_break }: RankRule,
  first: TiedScore,
  second: TiedScore,
): boolean {
  if (first.score !== second.score) {
    return sort_order === 'descending' ? first.score > second.score : first.score < second.score;
  }
  return tieKeyOf(tie_break, first.tie_value) < tieKeyOf(tie_break, second.tie_value);
}
