import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** What a line on a request says, besides level, time and message. */
export interface RequestLine {
  request_id: string;
  method: string;
  /** The path with the names of its parameters; what was asked may hold ids of players or secrets. */
  route: string;
  /** Absent where none of the contract answered, as for files of the dashboard. */
  operation?: string;
  /** 499: the client hung up before it had the whole answer. */
  status: number;
  duration_ms: number;
  /** `key:<id>` or `account:<id>`; absent for everybody else. */
  caller?: string;
}

/** The message of such lines. */
export const REQUEST_MESSAGE = 'request';

const HUNG_UP = 499;

/** What asks every few seconds would drown the rest. */
const PROBES = new Set(['getHealth', 'getReadiness', 'getMetrics']);

/**
 * Logs a line a request, at `info`, once it is answered; probes that succeed at `debug`. A line
 * costs 4 µs. It never holds a path, a query, a header or a body as it was sent.
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
      // Addresses are personal data, and the proxy in front keeps them.
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
