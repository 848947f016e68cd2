import { randomUUID } from 'node:crypto';
import { compile } from '@fastify/proxy-addr';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { classifyFailure } from '../database/failure.ts';
import { ApiError, unavailable } from '../errors.ts';
import { makeSoleCrew } from '../workers/crew.ts';
import type { Crew } from '../workers/crew.ts';
import { limitAdmission } from './admission.ts';
import type { OnAnswer } from './api.ts';
import { useBodyParser } from './bodies/body.ts';
import { limitConnections } from './connections/connection-limits.ts';
import { createConnections } from './connections/connections.ts';
import { guardOrigins } from './origins.ts';
import { checkFraming } from './connections/framing.ts';
import { NodeServer } from './connections/node-server.ts';
import { limitUnreadAnswers } from './connections/unread-answers.ts';

/** As long as a request line of Node may be, so that a name that is too long gets a 400 by its field. */
const MAX_PARAM_LENGTH = 16 * 1024;

/** At a stop, requests under way have this long; process managers may kill us after 10 seconds. */
const DRAIN_TIMEOUT_MS = 5_000;

/** An id that a proxy or a client gave its request, so that their logs can be matched with ours. */
function readRequestId(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : null;
}

/** Makes the HTTP server with the hooks of all routes; features mount their routes on it. */
export async function createHttpServer(
  config: Config,
  logger: FastifyBaseLogger,
  { crew = makeSoleCrew(config), onAnswer }: { crew?: Crew; onAnswer?: OnAnswer } = {},
): Promise<FastifyInstance> {
  const isProxy = makeProxyCheck(config);
  const connections = createConnections(crew.windows, isProxy);
  const app = Fastify({
    // Fastify's own lines at `info` repeat those of our start.
    loggerInstance: logger.child({}, { level: logger.level === 'info' ? 'warn' : logger.level }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trust_proxy,
    serverFactory: (handle) => new NodeServer(connections, handle),
    clientErrorHandler: (error, socket) => connections.refuseBroken(error, socket),
    // At a stop, requests on open connections are still served, each as the last of its connection.
    return503OnClosing: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? randomUUID(),
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      onBadUrl: (_path, _request, response) => {
        const body = JSON.stringify({ error: 'The path is not a valid URL' });
        response.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8' }).end(body);
      },
    },
  }) as unknown as FastifyInstance;

  limitConnections(app.server, connections, crew, { ...config, isProxy });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = toApiError(error);
    // Refusals for overload have no cause, and would fill the log.
    if (answer.status >= 500 && (answer.status !== 503 || answer.cause !== undefined)) {
      request.log.error({ err: error, request_id: request.id }, 'request failed');
    }
    const body = answer.status >= 500 ? { ...answer.body, request_id: request.id } : answer.body;
    const { operation } = request.routeOptions.config;
    if (operation) onAnswer?.(operation, answer.status, body);
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body));
  });
  useBodyParser(app, crew.held);
  await guardOrigins(app, config);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
  });
  checkFraming(app, connections);
  limitUnreadAnswers(app, crew.held);
  limitAdmission(app);
  return app;
}

/** Whether an address is a proxy's, as Fastify judges it when it looks for the client's. */
function makeProxyCheck({ trust_proxy }: Config): (address: string) => boolean {
  if (typeof trust_proxy === 'boolean') return () => trust_proxy;
  const isTrusted = compile(trust_proxy);
  return (address) => isTrusted(address, 0);
}

/**
 * Answers the requests under way and refuses new ones. Connections that are open after the timeout
 * are cut: a client that never ends its request, or a browser's spare connection, would keep the
 * server from stopping.
 */
export async function closeHttpServer(
  app: FastifyInstance,
  drain_timeout_ms = DRAIN_TIMEOUT_MS,
): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drain_timeout_ms);
  await app.close().finally(() => clearTimeout(timer));
}

/** The answer to an error; its cause stays in the log. */
export function toApiError(error: FastifyError): ApiError {
  if (error instanceof ApiError) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(400, 'Content-Type must be application/json');
  }
  // For example, a client has hung up in its body: no connection to the database is lost.
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new ApiError(status, error.message);
  switch (classifyFailure(error)) {
    case 'unavailable':
      return unavailable('The database is unavailable, try again in a second', error);
    case 'refused_value':
      return new ApiError(
        400,
        'The request holds a value that cannot be stored',
        {},
        {
          cause: error,
        },
      );
    default:
  }
  return new ApiError(500, 'Something went wrong on our side', {}, { cause: error });
}
