const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = zone + JSON.stringify(options);
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...options });
    formats.set(name, format);
  }
  return format;
}

/** A moment in a zone, for people: `Sat, Mar 14, 2026, 09:00`. */
export const formatInZone = (iso: string, zone: string): string =>
  formatOf(zone, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(iso));

/** The clock of a zone at a moment, in the form of `datetime-local` fields: `2026-03-14T09:00`. */
export function readClock(time: number, zone: string): string {
  const parts = formatOf(zone, {
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
 * The moment at which the clock of a zone shows a time, as the API takes it; null for text that is no
 * time. A time that clocks show twice is the first of the two. A time that clocks skip is counted from
 * before the change: where they skip from 2:00 to 3:00, 2:30 is half an hour after the change.
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

/** The clocks at which the coming weekend begins and ends: Saturday and Monday at midnight. */
export function nextWeekend(now: number, zone: string): { start: string; end: string } {
  const today = readClock(now, zone).slice(0, 10);
  const midnight = Date.parse(`${today}T00:00Z`);
  const until_saturday = (6 - new Date(midnight).getUTCDay() + 7) % 7 || 7;
  const at = (days: number) => new Date(midnight + days * DAY_MS).toISOString().slice(0, 16);
  return { start: at(until_saturday), end: at(until_saturday + 2) };
}
