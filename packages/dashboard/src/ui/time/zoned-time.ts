import { formatIn } from './format-time.ts';

/** Returns the clock time in a zone at a moment, in the form of `datetime-local`: `2026-03-14T09:00`. */
export function readClock(time: number, zone: string): string {
  const parts = formatIn(zone, 'parts', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time);
  const of = (type: string) => parts.find((part) => part.type === type)!.value.padStart(2, '0');
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

const DAY_MS = 86_400_000;

/**
 * Converts the clock time of a zone to a moment in the format of the API; null if the text is no time. If the
 * clocks show this time twice, the result is the first of the two moments. If the clocks skip this time, the
 * result is the moment at which they would have shown it without the change: if they skip from 2:00 to 3:00,
 * then 2:30 is half an hour after the change.
 */
export function momentOf(clock: string, zone: string): string | null {
  const as_utc = Date.parse(`${clock}Z`);
  if (Number.isNaN(as_utc)) return null;
  const offsetAt = (time: number) => Date.parse(`${readClock(time, zone)}Z`) - floor(time);
  const moments = [as_utc - DAY_MS, as_utc + DAY_MS].map((time) => as_utc - offsetAt(time));
  const found = moments.toSorted((a, b) => a - b).find((time) => readClock(time, zone) === clock);
  return new Date(found ?? moments[0]!).toISOString();
}

const floor = (time: number) => Math.floor(time / 60_000) * 60_000;
