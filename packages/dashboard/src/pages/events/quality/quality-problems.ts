import type { ReportData } from '../../../reports/report-data.ts';
import { sum } from '../../../reports/summary.ts';

export type Quality = ReportData['data-quality'];
export type QualityDay = Quality['days'][number];

/** The problems of events. `words` completes a sentence that begins with the number of events. */
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

/** If fewer events have a problem, this may be a coincidence, or somebody may be trying things out. */
const MIN_COUNT = 5;
/**
 * A problem is news when its share is more than `MIN_TIMES` times its share on the days
 * before, and also exceeds that share by more than `MIN_SHARE`.
 */
const MIN_TIMES = 2;
const MIN_SHARE = 0.01;

/** A problem that the events of a key have more often on the last day than before. */
export interface News {
  key_id: string;
  key_name: string | null;
  problem: Problem;
  count: number;
  share: number;
  share_before: number;
  /** All events that the key sent on the last day, and on the days before. */
  sent: number;
  sent_before: number;
}

/**
 * Finds the problems that are worse on the last day than before; the problems of the busiest key come first.
 * A broken build causes such problems on the day when it is released.
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
        share: shareOf(problem, today),
        share_before: shareOf(problem, totalsOf(before)),
        sent: sentCount(today),
        sent_before: sentCount(totalsOf(before)),
      }));
    })
    .filter(
      ({ count, share, share_before }) =>
        count >= MIN_COUNT && share > share_before * MIN_TIMES && share > share_before + MIN_SHARE,
    );
}

/** Counts all events that were sent, including refused and repeated events. */
export const sentCount = (totals: QualityTotals): number =>
  totals.event_count + totals.refused_count + totals.repeated_count;

/** The share of a problem among all events that were sent. All percentages of the page are such shares. */
export function shareOf({ member }: Pick<Problem, 'member'>, totals: QualityTotals): number {
  const sent = sentCount(totals);
  return sent === 0 ? 0 : totals[member] / sent;
}

const COUNTS = [
  'event_count',
  'late_count',
  'wrong_clock_count',
  'warned_count',
  'refused_count',
  'repeated_count',
] as const;
export type QualityTotals = Record<(typeof COUNTS)[number], number>;

export const totalsOf = (days: readonly QualityDay[]) =>
  Object.fromEntries(
    COUNTS.map((count) => [count, sum(days.map((day) => day[count]))]),
  ) as QualityTotals;
