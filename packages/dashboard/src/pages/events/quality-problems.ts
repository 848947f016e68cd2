import type { Answer } from '../../api/operations.ts';
import { sum } from '../../reports/summary.ts';

export type Quality = Answer<'GET /v1/games/{game_id}/analytics/data-quality'>;
export type QualityDay = Quality['days'][number];

/** What can be wrong with events, and how a sentence goes on about them. */
export const PROBLEMS = [
  {
    value: 'warned',
    name: 'Broke their schema',
    member: 'warned_count',
    words: 'broke their schema',
  },
  { value: 'refused', name: 'Refused', member: 'refused_count', words: 'were refused' },
  {
    value: 'wrong_clock',
    name: 'Wrong clock',
    member: 'wrong_clock_count',
    words: 'came with a wrong clock',
  },
  { value: 'late', name: 'Over a day late', member: 'late_count', words: 'were over a day late' },
  { value: 'repeated', name: 'Sent again', member: 'repeated_count', words: 'were sent again' },
] as const;
export type Problem = (typeof PROBLEMS)[number];

/** Fewer are chance, or somebody trying things out. */
const MIN_COUNT = 5;
/** So many times the share of the days before, and more by so much, is news. */
const MIN_TIMES = 2;
const MIN_SHARE = 0.01;

/** A problem that a key's events have on the last day, and had not before. */
export interface News {
  key_id: string;
  key_name: string | null;
  problem: Problem;
  count: number;
  share: number;
  share_before: number;
}

/**
 * What is worse on a day than it was before, the busiest key first: what a broken build looks like
 * on the day it is let loose.
 */
export function findNews(days: readonly QualityDay[], last_day: string): News[] {
  return days
    .filter(({ day }) => day === last_day)
    .flatMap((today) => {
      const before = days.filter(({ day, key_id }) => day < last_day && key_id === today.key_id);
      return PROBLEMS.map((problem) => ({
        key_id: today.key_id,
        key_name: today.key_name,
        problem,
        count: today[problem.member],
        share: shareOf(problem, [today]),
        share_before: shareOf(problem, before),
      }));
    })
    .filter(
      ({ count, share, share_before }) =>
        count >= MIN_COUNT && share > share_before * MIN_TIMES && share > share_before + MIN_SHARE,
    );
}

/** Of what was sent, so that refused and repeated events are part of it as well. */
function shareOf({ member }: Problem, days: readonly QualityDay[]): number {
  const sent = sum(days.map((day) => day.event_count + day.refused_count + day.repeated_count));
  return sent === 0 ? 0 : sum(days.map((day) => day[member])) / sent;
}
