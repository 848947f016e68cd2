import { REQUEST_MESSAGE } from '../../platform/http/request-log.ts';
import type { RequestLine } from '../../platform/http/request-log.ts';

/**
 * Formats a line of the log for people: `08:15:02 warn Redis is unavailable: connect
 * ECONNREFUSED`. Returns null for successful requests, which people need not see.
 */
export function formatForTerminal(line: Record<string, unknown>): string | null {
  const time = new Date(String(line.time)).toLocaleTimeString('en-GB');
  if (line.msg === REQUEST_MESSAGE) {
    const { method, route, status, duration_ms, request_id } = line as unknown as RequestLine;
    if (status < 400) return null;
    return `${time} ${method} ${route} ${status}, ${duration_ms} ms, ${request_id}`;
  }
  const error = line.err as { message?: string; stack?: string } | undefined;
  const cause = line.level === 'error' ? error?.stack : error?.message;
  return `${time} ${String(line.level)} ${String(line.msg)}${cause ? `: ${cause}` : ''}`;
}
