import { calendarDayOf } from '../../ui/time/format-time.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Adds a number of days to a calendar day such as `2026-03-01`. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

export const todayIn = (time_zone: string): string => calendarDayOf(Date.now(), time_zone);

/** Returns the day that is `count` days before today, in a time zone. */
export const daysBefore = (count: number, time_zone: string): string =>
  addDays(todayIn(time_zone), -count);

/** Lists the starts of the hours after `hour`, up to the end of a day in a time zone. */
export function hoursAfter(hour: string, day: string, time_zone: string): string[] {
  const hours: string[] = [];
  let time = Date.parse(hour) + HOUR_MS;
  for (; calendarDayOf(time, time_zone) <= day; time += HOUR_MS) {
    hours.push(new Date(time).toISOString());
  }
  return hours;
}

/** Counts the days from one day to another, both included. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/** Tells whether a text is a day that exists, in the years that the server accepts. */
export const isDay = (text: string | null): text is string =>
  text !== null &&
  /^(19[7-9]\d|20\d\d|2100)-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  addDays(text, 0) === text;
