import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { HttpServer } from './server.ts';

/** The fields of a request's line in the log, besides level, time and message. */
export interface RequestLine {
  request_id: string;
  method: string;
  /**
   * The path with names such as `{player_id}` in place of the values. The values may be ids of players or
   * secrets.
   */
  route: string;
  /** Absent for requests outside the contract, such as files of the dashboard. */
  operation?: string;
  /** 499 if the client hung up before it had the whole answer. */
  status: number;
  duration_ms: number;
  /** `key:<id>`, `token:<id>` of an access token, or `account:<id>`; absent for other callers. */
  caller?: string;
}

/** The message of each request line. */
export const REQUEST_MESSAGE = 'request';

const HUNG_UP = 499;

/** Operations for probes, which come every few seconds and would hide the other lines. */
const PROBES = new Set(['getHealth', 'getReadiness', 'getMetrics']);

/**
 * Logs one line for each answered request, at `debug` for probes that succeed and at `info` for all other
 * requests. A line takes 4 µs and never contains the path, query, headers or body of the request.
 */
export function logRequests(
  server: HttpServer,
  logger: BaseLogger,
  which: Config['log_requests'],
): void {
  if (which === 'none' || !isEnabled(logger, 'info')) return;
  server.observe(({ id, request, answer, route, counted_as }, is_sent, duration_ms) => {
    const status = is_sent ? answer.statusCode : HUNG_UP;
    const operation = route.operation?.id;
    const failed = status >= 400;
    if (which === 'failed' && !failed) return;
    const line: RequestLine = {
      request_id: id,
      method: request.method ?? '',
      route: route.path,
      operation,
      status,
      duration_ms: Math.round(duration_ms * 10) / 10,
      // IP addresses are personal data, so they are left out. A proxy in front of the server may log them.
      caller: counted_as.startsWith('ip:') || counted_as === '' ? undefined : counted_as,
    };
    const level = !failed && operation !== undefined && PROBES.has(operation) ? 'debug' : 'info';
    logger[level](line, REQUEST_MESSAGE);
  });
}

function isEnabled(logger: BaseLogger, level: string): boolean {
  return (logger as unknown as { isLevelEnabled(level: string): boolean }).isLevelEnabled(level);
}
