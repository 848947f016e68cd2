/**
 * The form of a time in requests: ISO 8601 with optional seconds, fraction and offset, in letters of any
 * case. PostgreSQL reads these texts; it refuses fractions that are a little longer.
 */
export const TIME_FORM =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,90}))?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/i;

/**
 * Reads a time of `TIME_FORM`, in UTC if it has no offset.
 * @returns milliseconds since 1970, rounded down; null for another text, or a time that does not exist.
 */
export function parseTime(text: string, max_offset_hours = 23): number | null {
  const match = TIME_FORM.exec(text);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)];
  const offset_hours = Number(match[8] ?? 0);
  const offset_minutes = Number(match[9] ?? 0);
  // A Date takes the years 0 to 99 for 1900 to 1999.
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    return null;
  }
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (Math.abs(offset_hours) > max_offset_hours || offset_minutes > 59) return null;

  const sign = match[8]?.startsWith('-') ? -1 : 1;
  const offset_ms = (offset_hours * 60 + sign * offset_minutes) * 60_000;
  const fraction_ms = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return Date.UTC(year, month - 1, day, hour, minute, second, fraction_ms) - offset_ms;
}

/** Day 0 of the next month is the last day of this month. */
const daysInMonth = (year: number, month: number) =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();
