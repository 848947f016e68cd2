import { formatSignedShare, isFew } from '@overworld/contract/percents';

export { formatDuration } from '@overworld/contract/durations';
export { formatShare, isFew, writeShare } from '@overworld/contract/percents';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const ratio = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const calendarDay = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const calendarMonth = new Intl.DateTimeFormat('en', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Writes 1234567 as `1,234,567`. */
export const formatCount = (value: number) => whole.format(value);

/** Writes 1234567 as `1.2M`. */
export const formatCompact = (value: number) => compact.format(value);

/** Shows all digits of a score, in groups of three. */
export const formatScore = (value: number) =>
  Math.abs(value) < 1e15 ? exact.format(value) : String(value);

/** Writes the change from 200 to 210 as `+5%`. Returns null if the number before is too small for a share. */
export const formatChange = (now: number, before: number): string | null =>
  isFew(before) ? null : formatSignedShare(now / before - 1);

/** Names a share of a number that is not known, such as `Most` for 0.7. */
export const quantityOf = (share: number): string =>
  share === 1 ? 'All' : share >= 0.5 ? 'Most' : 'Some';

/** Writes 1.2345 as `1.23`. */
export const formatRatio = (value: number) => ratio.format(value);

/** Writes the calendar day `2026-03-01` as `Mar 1`, which is the same in every zone. */
export const formatCalendarDay = (date: string) => calendarDay.format(new Date(`${date}T00:00Z`));

/** Writes a range of days as `on Mar 1` or `from Mar 1 to Mar 7`. */
export const spanWords = (from: string, to: string) =>
  from === to
    ? `on ${formatCalendarDay(from)}`
    : `from ${formatCalendarDay(from)} to ${formatCalendarDay(to)}`;

/** Writes the month `2026-03` as `Mar 2026`. */
export const formatMonth = (month: string) => calendarMonth.format(new Date(`${month}-01T00:00Z`));

/** Returns the weekday of a date, such as `Sunday` for `2026-03-01`. */
export const formatWeekday = (date: string) => weekday.format(new Date(`${date}T00:00Z`));

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Writes 102400 as `100 KB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || power === 0 ? whole.format(value) : value.toFixed(1)} ${BYTE_UNITS[power]}`;
}

/** Writes a count with its noun, as `1 player` or `2 players`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`) =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
