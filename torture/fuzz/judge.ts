import type { Attack } from './attack.ts';
import type { WireAnswer } from './wire.ts';

/**
 * The cookies of logins, which give no access: one identifies the browser, and an empty one removes the
 * secret of a login with the studio's identity.
 */
const LOGIN_COOKIES =
  /^set-cookie(\n|: )(overworld_device=[\w-]{32}; Path=\/v1\/auth;.*|overworld_identity=; Path=\/; Max-Age=0;) HttpOnly; SameSite=Strict$/gim;

/** Refusals of a server that has too much work at the moment. */
const BUSY = /is overloaded|exports are running|reports are being made/;

/** Traces of the inside of the server: its files, its statements, its database. */
const INTERNALS =
  /node_modules|packages\/server|\n\s+at |SELECT .* FROM|INSERT INTO|syntax error at/;

/**
 * Finds a problem in an answer; null if there is none. Does not check whether the answer follows the
 * contract.
 * @param marker A text that must not be in the answer; null if any text is allowed.
 */
export function findProblem(
  { bytes, method }: Attack,
  { status, head, content_type, text }: WireAnswer,
  { duration_ms, max_duration_ms }: { duration_ms: number; max_duration_ms: number },
  marker: string | null,
): string | null {
  if (status === null) return bytes === null ? 'closed the connection without an answer' : null;
  const shown = `${status} ${text.slice(0, 500)}`;
  if (status >= 500 && !(status === 503 && BUSY.test(text))) return `answers ${shown}`;
  if (duration_ms > max_duration_ms) return `takes ${Math.round(duration_ms)} ms: ${shown}`;
  if (marker !== null && (text.includes(marker) || head.includes(marker))) return `leaks ${shown}`;
  if (/^set-cookie/im.test(head.replace(LOGIN_COOKIES, ''))) return `sets a cookie: ${head}`;
  if (status >= 400 && INTERNALS.test(text)) return `tells of its inside: ${shown}`;
  // Bytes that are not HTTP may be answered as several requests, or by Node itself.
  if (method === 'HEAD' || bytes !== null) return null;
  if (text === '') return status < 400 ? null : `has no body: ${status}`;
  if (!content_type.startsWith('application/json')) {
    return status >= 400 ? `is no JSON: ${shown}` : null;
  }
  return findJsonProblem(status, text);
}

function findJsonProblem(status: number, text: string): string | null {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const isError = typeof body === 'object' && Object.keys(body)[0] === 'error';
    if (status < 400 || (isError && typeof body.error === 'string')) return null;
    return `does not begin with error: ${status} ${text.slice(0, 500)}`;
  } catch {
    return `is no JSON: ${status} ${text.slice(0, 500)}`;
  }
}
