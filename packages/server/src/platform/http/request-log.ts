import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The fields of a request's line, besides level, time and message. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The path with the names of its parameters; their values may be ids of players or secrets. */
  route: string;
  /** Absent for requests outside the contract, such as files of the dashboard. */
  operation?: string;
  /** 499 if the client hung up before it had the whole answer. */
  status: number;
  duration_ms: number;
  /** `key:<id>` or `account:<id>`; absent for everybody else. */
  caller?: string;
}

/** The message of these lines. */
export const REQUEST_MESSAGE = 'request';

const HUNG_UP = 499;

/** Probes come every few seconds, and would hide the other lines. */
const PROBES = new Set(['getHealth', 'getReadiness', 'getMetrics']);

/**
 * Logs one line for each answered request at `info`, for probes that succeed at `debug`. A line costs
 * 4 µs. It never holds the path, query, headers or body of the request.
 */
export function logRequests(
  app: FastifyInstance,
  logger: FastifyBaseLogger,
  which: Config['log_requests'],
): void {
  if (which === 'none' || !isEnabled(logger, 'info')) return;
  const log = (request: FastifyRequest, status: number, duration_ms: number) => {
    const { url, config } = request.routeOptions;
    const operation = config.operation?.id;
    const failed = status >= 400;
    if (which === 'failed' && !failed) return;
    const { rateLimitCaller: caller } = request;
    const line: RequestLine = {
      request_id: request.id,
      method: request.method,
      route: url ?? 'none',
      operation,
      status,
      duration_ms: Math.round(duration_ms * 10) / 10,
      // Addresses are personal data; a proxy in front may log them.
      caller: caller.startsWith('ip:') || caller === '' ? undefined : caller,
    };
    const level = !failed && operation !== undefined && PROBES.has(operation) ? 'debug' : 'info';
    logger[level](line, REQUEST_MESSAGE);
  };
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : HUNG_UP;
      log(request, status, reply.elapsedTime);
    });
    done();
  });
}

function isEnabled(logger: FastifyBaseLogger, level: string): boolean {
  return (logger as unknown as { isLevelEnabled(level: string): boolean }).isLevelEnabled(level);
}
