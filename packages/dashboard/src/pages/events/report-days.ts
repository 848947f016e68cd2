const DAY_MS = 86_400_000;

/** The day `count` days before today in a time zone, as `2026-03-01`. */
export function daysBefore(count: number, time_zone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(new Date());
  return new Date(Date.parse(today) - count * DAY_MS).toISOString().slice(0, 10);
}
