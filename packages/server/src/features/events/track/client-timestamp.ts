const FORM =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,20})?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/;

/** 1970-01-01T00:00:00Z. */
const EARLIEST_MS = 0;
const FIRST_TOO_LATE_MS = Date.UTC(2101, 0, 1);
const MAX_OFFSET_HOURS = 15;

/**
 * Tells whether a text is a time that may be stored: ISO 8601 with optional fraction
 * and offset, in the years 1970 to 2100 (UTC). A text without an offset is in UTC.
 * A cast to `timestamptz` in PostgreSQL gives the same time.
 */
export function isClientTimestamp(text: string): boolean {
  const match = FORM.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const offset_hours = Number(match[7] ?? 0);
  const offset_minutes = Number(match[8] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false;
  if (hour > 23 || minute > 59 || second > 59) return false;
  if (Math.abs(offset_hours) > MAX_OFFSET_HOURS || offset_minutes > 59) return false;

  const sign = match[7]?.startsWith('-') ? -1 : 1;
  const offset_ms = (offset_hours * 60 + sign * offset_minutes) * 60_000;
  const time_ms = Date.UTC(year, month - 1, day, hour, minute, second) - offset_ms;
  return time_ms >= EARLIEST_MS && time_ms < FIRST_TOO_LATE_MS;
}

/** Day 0 of the next month is the last day of this month. */
const daysInMonth = (year: number, month: number) =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();
