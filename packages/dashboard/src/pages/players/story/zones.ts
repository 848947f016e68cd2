/** A time zone in which times can be shown, and its words. */
export interface Zone {
  /** IANA name, such as `Europe/Berlin`. */
  name: string;
  words: string;
}

const own = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The zones that a reader may think in: that of the game, the reader's own, and UTC. */
export function zonesFor(game_zone: string): Zone[] {
  const zones = [
    {
      name: game_zone,
      words: game_zone === own ? `${game_zone}, the game’s and yours` : `${game_zone}, the game’s`,
    },
    { name: own, words: `${own}, yours` },
    { name: 'UTC', words: 'UTC' },
  ];
  return zones.filter(({ name }, index) => zones.findIndex((zone) => zone.name === name) === index);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are dear to make, and a page shows hundreds of times. */
function formatFor(zone: string, key: string, options: Intl.DateTimeFormatOptions) {
  const name = `${key} ${zone}`;
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(key === 'day' ? 'en-CA' : 'en', {
      ...options,
      timeZone: zone,
    });
    formats.set(name, format);
  }
  return format;
}

/** `21:04:31`. */
export const clockOf = (iso: string, zone: string): string =>
  formatFor(zone, 'clock', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));

/** `21:04`. */
export const minuteOf = (iso: string, zone: string): string => clockOf(iso, zone).slice(0, 5);

/** The calendar day `2026-03-01`. */
export const dayOf = (iso: string, zone: string): string =>
  formatFor(zone, 'day', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(iso),
  );

/** `Sunday, March 1, 2026`. */
export const longDayOf = (iso: string, zone: string): string =>
  formatFor(zone, 'long day', { dateStyle: 'full' }).format(new Date(iso));

/** `Mar 1, 2026, 21:04:31`. */
export const momentIn = (iso: string, zone: string): string =>
  formatFor(zone, 'moment', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }).format(
    new Date(iso),
  );

/** The moment at which a calendar day has ended. Where clocks change at midnight, it may be an hour off. */
export function endOfDay(day: string, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  const nearly = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(nearly, zone)).toISOString();
}

/** By how many milliseconds the clocks of a zone are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const iso = new Date(ms).toISOString();
  return Date.parse(`${dayOf(iso, zone)}T${clockOf(iso, zone)}Z`) - Math.floor(ms / 1_000) * 1_000;
}
