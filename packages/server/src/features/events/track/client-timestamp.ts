import { parseTime } from '../../../platform/iso-time.ts';

const FIRST_TOO_LATE_MS = Date.UTC(2101, 0, 1);
/** PostgreSQL refuses an offset of 16 hours. */
const MAX_OFFSET_HOURS = 15;

/**
 * Tells whether a text is a time that may be stored: one of the years 1970 to 2100 (UTC). A cast to
 * `timestamptz` in PostgreSQL gives the same time.
 */
export function isClientTimestamp(text: string): boolean {
  const time_ms = parseTime(text, MAX_OFFSET_HOURS);
  return time_ms !== null && time_ms >= 0 && time_ms < FIRST_TOO_LATE_MS;
}
