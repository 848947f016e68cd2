import { addDays, countDays } from '../../../reports/days/report-days.ts';
import type { Metric } from '../../../reports/metric.tsx';
import { formatCompact } from '../../../ui/format.ts';
import { PROBLEMS, totalsOf } from './quality-problems.ts';
import type { Quality, QualityTotals } from './quality-problems.ts';

interface Day extends QualityTotals {
  day: string;
}

export const QUALITY_METRICS = PROBLEMS.map(({ value, name, member, words }) => ({
  value,
  name,
  words,
  of: (day: Day) => day[member],
  write: formatCompact,
})) satisfies Metric<Day>[];

/** Lists the days of the report. The counts of each day are sums over all API keys. */
export function totalsByDay({ from, to, days }: Pick<Quality, 'from' | 'to' | 'days'>): Day[] {
  const byDay = Map.groupBy(days, ({ day }) => day);
  return Array.from({ length: countDays(from, to) }, (_, index) => {
    const day = addDays(from, index);
    return { day, ...totalsOf(byDay.get(day) ?? []) };
  });
}
