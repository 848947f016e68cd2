import { formatWholeShare } from '@overworld/contract/percents';
import type { ReportData } from '../../../reports/report-data.ts';
import { sum } from '../../../reports/summary.ts';
import { addDays } from '../../../reports/days/report-days.ts';
import { countOf, formatCalendarDay, isFew, spanWords } from '../../../ui/format.ts';

export type Retention = ReportData['retention'];
export type Cohort = Retention['cohorts'][number];

/** Returns the number of the last day that is over for at least one cohort. A cohort's first day is day 0. */
export const lastDayOf = ({ average }: Retention): number =>
  average.findLastIndex((share) => share !== null);

/** Counts the players who came back on a day, and the players for whom the day is over. */
export function cameBack(cohorts: readonly Cohort[], day: number): readonly [number, number] {
  const told = cohorts.filter(({ active }) => (active[day] ?? null) !== null);
  return [
    sum(told.map(({ active }) => active[day]!)),
    sum(told.map(({ player_count }) => player_count)),
  ];
}

/** Returns the number of the last day that is over for enough players; 0 if there is none. */
export const lastToldDay = (retention: Retention): number => {
  let day = lastDayOf(retention);
  while (day > 0 && isFew(cameBack(retention.cohorts, day)[1])) day--;
  return Math.max(0, day);
};

/** Returns a name such as `Mar 1`, or `Mar 1 – Mar 7` for a week. */
export function nameOf({ first_day, last_day }: Cohort): string {
  const [first, last] = [formatCalendarDay(first_day), formatCalendarDay(last_day)];
  return first_day === last_day ? first : `${first} – ${last}`;
}

/** Writes a cell as a sentence: `Of 412 players new on Mar 1, 31% (128) came back the next day, Mar 2.` */
export function sayCell(cohort: Cohort, day: number): string {
  const { player_count, first_day, last_day } = cohort;
  const isDay = first_day === last_day;
  const came = cohort.active[day] ?? null;
  const of = `Of ${countOf(player_count, 'player')} new ${spanWords(first_day, last_day)}`;
  if (came === null) return `${of}, not all have had their day ${day} yet.`;
  const share = isFew(player_count)
    ? countOf(came, 'player')
    : `${formatWholeShare(came / player_count)} (${countOf(came, 'player')})`;
  const when = day === 1 ? 'the next day' : `${day} days later`;
  return `${of}, ${share} came back ${when}${isDay ? `, ${formatCalendarDay(addDays(first_day, day))}` : ''}.`;
}

/**
 * Leaves out the empty cohorts before the first cohort with players, because the game may not have
 * existed then.
 */
export const cohortsWithPlayers = ({ cohorts }: Retention): Cohort[] =>
  cohorts.slice(cohorts.findIndex(({ player_count }) => player_count > 0));

/** Finds the newest cohort with players whose second day is over. The report begins with this cohort. */
export const newestTold = (cohorts: readonly Cohort[]): Cohort | undefined =>
  cohorts.findLast(({ player_count, active }) => player_count > 0 && (active[1] ?? null) !== null);
