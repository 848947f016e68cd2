const TIMESTAMP = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/** Tells whether a text is a timestamptz in PostgreSQL's own form, with microseconds. */
export function isTimestampText(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false;
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const time = new Date(`${seconds}Z`);
  // PostgreSQL refuses the 30th of February, but a Date takes it for the 2nd of March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(seconds);
}

/**
 * Turns PostgreSQL's text for a timestamptz (with TimeZone=UTC: `2026-01-31 12:00:00.123456+00`)
 * into the API's `2026-01-31T12:00:00.123Z`. Slicing is ten times cheaper than a Date.
 */
export function readTimestamp(text: string): string {
  const fraction = text.charAt(19) === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
