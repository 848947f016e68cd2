const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const ratio = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const calendarDay = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const hour = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** 1234567 as `1,234,567`. */
export const formatCount = (value: number) => whole.format(value);

/** 1234567 as `1.2M`. */
export const formatCompact = (value: number) => compact.format(value);

/** All digits of a score, grouped. */
export const formatScore = (value: number) =>
  Math.abs(value) < 1e15 ? exact.format(value) : String(value);

/** 0.125 as `12.5%`. */
export const formatShare = (value: number) => percent.format(value);

/** 1.2345 as `1.23`. */
export const formatRatio = (value: number) => ratio.format(value);

/** 3725 seconds as `1 h 2 min`, in the two largest units and rounded. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds < 0.005 ? 0 : ratio.format(seconds)} s`;
  const whole_seconds = Math.round(seconds);
  const [large, small] = DURATION_UNITS.find(([{ length }]) => whole_seconds >= length)!;
  const smalls = Math.round(whole_seconds / small.length);
  const per = large.length / small.length;
  const rest = smalls % per;
  const first = `${formatCount(Math.floor(smalls / per))} ${large.name}`;
  return rest === 0 || large === small ? first : `${first} ${rest} ${small.name}`;
}

/** The exact time in the reader's own zone. */
export const formatMoment = (iso: string) => moment.format(new Date(iso));

/** The calendar day `2026-03-01` as `Mar 1`, whatever the reader's zone. */
export const formatCalendarDay = (date: string) => calendarDay.format(new Date(`${date}T00:00Z`));

/** The minute in the reader's own zone: `Mar 1, 17:00`. */
export const formatMinute = (iso: string) => hour.format(new Date(iso));

export const formatDay = (iso: string) => day.format(new Date(iso));

const SECOND = { name: 's', length: 1 };
const MINUTE = { name: 'min', length: 60 };
const HOUR = { name: 'h', length: 3_600 };
const DAY = { name: 'd', length: 86_400 };
/** Each unit with the smaller unit in which its remainder is shown. */
const DURATION_UNITS = [
  [DAY, HOUR],
  [HOUR, MINUTE],
  [MINUTE, SECOND],
  [SECOND, SECOND],
] as const;

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 minutes ago`. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (unit) return relative.format(Math.trunc(seconds / unit[1]), unit[0]);
  return seconds > -5 && seconds < 5 ? 'just now' : relative.format(seconds, 'second');
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** 102400 as `100 KB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || power === 0 ? whole.format(value) : value.toFixed(1)} ${BYTE_UNITS[power]}`;
}

/** `1 player`, `2 players`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`) =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
