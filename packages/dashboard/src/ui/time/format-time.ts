type Options = Intl.DateTimeFormatOptions;

/** Caches formatters: each takes 0.1 ms to make, and a table may show thousands of moments. */
const known = new Map<string, Intl.DateTimeFormat>();
export function formatIn(zone: string, name: string, options: Options, locale = 'en') {
  const key = `${name} ${zone}`;
  const format =
    known.get(key) ??
    new Intl.DateTimeFormat(locale, { hourCycle: 'h23', timeZone: zone, ...options });
  known.set(key, format);
  return format;
}

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const SECOND = { ...MINUTE, second: '2-digit' } as const;
const NAMED = { timeZoneName: 'short' } as const;

/** Writes the exact time with its zone: `Mar 1, 2026, 17:00:05 GMT+1`. */
export const formatMoment = (iso: string, zone: string) =>
  formatIn(zone, 'moment', { ...DAY, ...SECOND, ...NAMED }).format(new Date(iso));

/** Writes the minute with its zone: `Mar 1, 17:00 GMT+1`. */
export const formatMinute = (iso: string, zone: string) =>
  formatIn(zone, 'minute', { month: 'short', day: 'numeric', ...MINUTE, ...NAMED }).format(
    new Date(iso),
  );

/** Writes the minute without its zone, for the axis of a chart: `Mar 1, 17:00`. */
export const formatShortMinute = (iso: string, zone: string) =>
  formatIn(zone, 'short', { month: 'short', day: 'numeric', ...MINUTE }).format(new Date(iso));

/** Writes the time of day without its zone: `17:00`. */
export const formatClock = (iso: string, zone: string) =>
  formatIn(zone, 'clock', MINUTE).format(new Date(iso));

/** Writes the time of day to the second, without its zone: `17:00:05`. */
export const formatExactClock = (iso: string, zone: string) =>
  formatIn(zone, 'exact clock', SECOND).format(new Date(iso));

/** Writes the minute with its weekday, without its zone: `Sat, Mar 14, 2026, 09:00`. */
export const formatWeekdayMinute = (iso: string, zone: string) =>
  formatIn(zone, 'weekday', { weekday: 'short', ...DAY, ...MINUTE }).format(new Date(iso));

/** Writes the day in a zone: `Mar 1, 2026`. */
export const formatDay = (iso: string, zone: string) =>
  formatIn(zone, 'day', DAY).format(new Date(iso));

/** Writes the day with its weekday: `Sunday, March 1, 2026`. */
export const formatLongDay = (iso: string, zone: string) =>
  formatIn(zone, 'long day', { dateStyle: 'full' }).format(new Date(iso));

/** Writes the zone with its offset at a moment: `Europe/Berlin (GMT+1)`. */
export function formatZone(zone: string, at: Date = new Date()): string {
  const parts = formatIn(zone, 'offset', { timeZoneName: 'shortOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')!.value;
  return zone === 'UTC' ? zone : `${zone} (${offset})`;
}

/** Returns the calendar day of a moment in a zone: `2026-03-01`. */
export const calendarDayOf = (at: Date | number, zone: string): string =>
  formatIn(zone, 'calendar', { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA').format(
    at,
  );

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const HOUR_SECONDS = 3_600;
/** A time no further away than this is given in hours, even across midnight. */
const NEAR_HOURS = 12;
/** A time at most this many days away is given in days, because months differ in length. */
const NEAR_DAYS = 30;

/**
 * Describes a past time: `3 minutes ago`, `yesterday`, `last month`. From twelve hours on, the calendar
 * of the zone decides: yesterday is the day before today, last month the month before this one.
 */
export function formatAgo(iso: string, zone: string, now = Date.now()): string {
  const at = Date.parse(iso);
  const seconds = Math.round((at - now) / 1_000);
  const distance = Math.abs(seconds);
  if (distance < 5) return 'just now';
  if (distance < 60) return relative.format(seconds, 'second');
  if (distance < HOUR_SECONDS) return relative.format(Math.trunc(seconds / 60), 'minute');
  const [day, today] = [calendarDayOf(at, zone), calendarDayOf(now, zone)];
  if (distance < NEAR_HOURS * HOUR_SECONDS || day === today) {
    return relative.format(Math.trunc(seconds / HOUR_SECONDS), 'hour');
  }
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  if (Math.abs(days) <= NEAR_DAYS) return relative.format(days, 'day');
  const [year, month] = partsOf(day);
  const [this_year, this_month] = partsOf(today);
  const months = (year - this_year) * 12 + month - this_month;
  return Math.abs(months) < 12
    ? relative.format(months, 'month')
    : relative.format(year - this_year, 'year');
}

const partsOf = (day: string) => day.split('-').map(Number) as [year: number, month: number];
