import { addDays } from '../../../reports/days/report-days.ts';
import { calendarDayOf } from '../../../ui/time/format-time.ts';

/** Returns the local times at which the coming weekend begins and ends: Saturday and Monday at midnight. */
export function nextWeekend(now: number, zone: string): { start: string; end: string } {
  const today = calendarDayOf(now, zone);
  const until_saturday = (6 - new Date(today).getUTCDay() + 7) % 7 || 7;
  const at = (days: number) => `${addDays(today, days)}T00:00`;
  return { start: at(until_saturday), end: at(until_saturday + 2) };
}
