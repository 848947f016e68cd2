/**
 * Turns PostgreSQL's text for a timestamptz (with TimeZone=UTC: `2026-01-31 12:00:00.123456+00`)
 * into the API's `2026-01-31T12:00:00.123Z`. Slicing is ten times cheaper than a Date.
 */
export function readTimestamp(text: string): string {
  const fraction = text.charAt(19) === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
