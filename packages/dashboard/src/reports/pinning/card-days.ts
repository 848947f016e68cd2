import { isDated } from '@overworld/contract/analytics/reports';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import { formatCalendarDay } from '../../ui/format.ts';
import { daysBefore, todayIn } from '../days/report-days.ts';

/** Day ranges that end today; each value is its number of days. */
export const CARD_DAYS = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
] as const;

interface DaysOfCard {
  report: PinnedReport;
  last_days: number | null;
  from: string | null;
  to: string | null;
}

/** Returns the days that a card shows now. */
export function daysOf({ last_days, from, to }: Omit<DaysOfCard, 'report'>, time_zone: string) {
  if (last_days === null) return { from: from!, to: to! };
  return { from: daysBefore(last_days - 1, time_zone), to: todayIn(time_zone) };
}

/** Describes the days of a card, such as `Last 30 days` or `Mar 1 – Mar 31`. */
export function daysInWords({ report, last_days, from, to }: DaysOfCard): string {
  if (!isDated(report)) return 'Since its start';
  if (last_days === null) return `${formatCalendarDay(from!)} – ${formatCalendarDay(to!)}`;
  return last_days === 1 ? 'Today' : `Last ${last_days} days`;
}
