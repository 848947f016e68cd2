import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { ANSWER_MARK } from '@overworld/contract/answer-mark';
import { isForOwnPages } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import createRouter from 'find-my-way';
import type { HTTPMethod } from 'find-my-way';
import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import { badRequest, notFound, overloaded } from '../errors.ts';
import { RELEASE } from '../release.ts';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { createAdmission, refuseLate } from './admission.ts';
import { createBodyParser } from './bodies/read-body.ts';
import {
  createClientAddresses,
  createConnections,
  hasLargeRest,
  NodeServer,
} from './connections/connections.ts';
import { limitConnections } from './connections/connection-limits.ts';
import { limitUnreadAnswers } from './connections/unread-answers.ts';
import { Exchange } from './exchange.ts';
import type { AnswerHooks, Route } from './exchange.ts';
import { MAX_PARAM_LENGTH } from './limits.ts';
import { createOrigins } from './origins.ts';
import { toApiError } from './to-api-error.ts';

/**
 * Headers of every answer. `vary` is there because operations for games answer pages of other origins
 * differently.
 */
const FIXED_HEADERS = [ANSWER_MARK, RELEASE, 'x-content-type-options', 'nosniff', 'vary', 'Origin'];

/** Called with every answer of an operation, also if the answer is an error. */
export type OnAnswer = (operation: Operation, status: number, body: unknown) => void;

/** Called when an answer was sent completely, or when its client has hung up (then `is_sent` is false). */
type OnAnswered = (exchange: Exchange, is_sent: boolean, duration_ms: number) => void;

/** Makes the server, with the checks that requests of all routes must pass. */
export function createHttpServer(
  config: Config,
  logger: BaseLogger,
  {
    workerPool = makeSoleWorkerPool(config),
    onAnswer,
    linger_ms,
  }: { workerPool?: WorkerPool; onAnswer?: OnAnswer; linger_ms?: number } = {},
) {
  const clients = createClientAddresses(config);
  const connections = createConnections(workerPool.windows, clients.isProxy, linger_ms);
  const node = new NodeServer(connections, (request, answer) => router.lookup(request, answer));
  node.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.refuseBroken(error, socket as Socket),
  );
  limitConnections(node, connections, workerPool, { ...config, isProxy: clients.isProxy });

  const routes: Route[] = [];
  /** The route of requests that match no mounted route. */
  const unknown: Route = {
    method: 'GET',
    path: 'none',
    handle() {
      throw notFound('Route not found');
    },
  };
  const refuseUrl = () => {
    throw badRequest('The path is not a valid URL');
  };
  const observers: OnAnswered[] = [];
  const router = createRouter({
    maxParamLength: MAX_PARAM_LENGTH,
    defaultRoute: (request, answer) => begin(unknown, request, answer, {}, {}),
    onBadUrl: (_path, request, answer) =>
      begin({ ...unknown, admit: refuseUrl }, request, answer, {}, {}),
  });
  const findOperation = (method: string, url: string) =>
    (router.find(method as HTTPMethod, url)?.store as Route | null)?.operation;
  const origins = createOrigins(config, clients.hostOf, findOperation);
  const admission = createAdmission();
  const watchUnread = limitUnreadAnswers(workerPool.inUse);
  const parseBody = createBodyParser(workerPool.inUse);
  let is_stopping = false;

  const hooks: AnswerHooks = {
    onWorkEnd(exchange) {
      if (exchange.place !== null) admission.end(exchange.place);
      exchange.place = null;
      exchange.endLargeBodyTurn?.();
      exchange.endLargeBodyTurn = null;
    },
    onBegin(exchange) {
      exchange.endWork();
      if (hasLargeRest(exchange.request)) {
        exchange.setHeader('connection', 'keep-alive');
        connections.discardRest(exchange.request, exchange.answer);
      }
      // At a stop, requests on open connections are still served, each as the last of its connection.
      if (is_stopping) exchange.setHeader('connection', 'close');
    },
    onHandedOver(exchange) {
      // The system takes nearly every answer at once.
      if (exchange.answer.socket?.writableLength) watchUnread(exchange);
    },
    onContentFailed: (exchange, error) => refuse(exchange, error),
  };

  const refuse = (exchange: Exchange, error: unknown) => {
    const { id, route, answer, writeFailure } = exchange;
    const { status, headers, body: said, cause } = toApiError(error);
    // Refusals for overload have no cause. They are not logged, because they would fill the log.
    if (status >= 500 && (status !== 503 || cause !== undefined)) {
      logger.error({ err: error, request_id: id }, 'request failed');
    }
    const body = status >= 500 ? { ...said, request_id: id } : said;
    if (exchange.is_answered) {
      if (writeFailure === null) answer.destroy();
      else answer.end(writeFailure(status, body));
      return;
    }
    if (route.operation) onAnswer?.(route.operation, status, body);
    for (const name in headers) exchange.setHeader(name, headers[name]!);
    exchange.setHeader('content-type', 'application/json; charset=utf-8');
    // Without this header, a browser caches a 410 for ever, even for requests with another key or link.
    exchange.setHeader('cache-control', 'no-store');
    exchange.send(status, JSON.stringify(body));
  };

  /** Runs all checks, and then the route. */
  const serve = async (exchange: Exchange): Promise<void> => {
    const { route, ip } = exchange;
    const { operation } = route;
    // During this wait, Node ends a request that has no body. If the request were answered earlier, the
    // server would wait for the rest of a body that does not exist.
    await undefined;
    try {
      if (route === unknown && origins.answerPreflight(exchange)) return;
      checkFraming(exchange);
      // `/healthz` is exempt, because a supervisor must not kill a process that is only busy.
      if (!admission.isOpenFor(ip) && route.path !== '/healthz') await refuseLate(overloaded());
      // Most checks return no promise, and each needless `await` would take 1 µs.
      const admitting = route.admit?.(exchange);
      if (admitting !== undefined) await admitting;
      if (operation !== undefined && isForOwnPages(operation)) origins.refuseForeign(exchange);
      const parsing = parseBody(exchange);
      exchange.body = parsing instanceof Promise ? await parsing : parsing;
      exchange.place = admission.begin(ip);
      await route.handle(exchange);
    } catch (error) {
      refuse(exchange, error);
    }
  };

  const open = (
    route: Route,
    request: IncomingMessage,
    answer: ServerResponse,
    params: Exchange['params'],
    query: Exchange['query'],
  ): Exchange => {
    const { headers, socket } = request;
    const id = readRequestId(headers['x-request-id']) ?? randomUUID();
    const ip = clients.of(request);
    const exchange = new Exchange(request, answer, {
      route,
      params,
      query,
      id,
      ip,
      hooks,
      headers: FIXED_HEADERS,
    });
    const { operation } = route;
    if (headers.origin !== undefined && operation !== undefined) {
      origins.admit(exchange, headers.origin, operation);
    }
    // There is one listener for all purposes, because each further listener takes 0.3 µs.
    answer.on('close', () => {
      connections.end(socket);
      const duration_ms = performance.now() - exchange.began_at_ms;
      for (const observe of observers) observe(exchange, answer.writableFinished, duration_ms);
    });
    return exchange;
  };

  const begin = (...given: Parameters<typeof open>) => void serve(open(...given));

  return {
    /** Node's server. */
    node,
    /** All routes that were mounted. */
    routes,
    mount(route: Route) {
      routes.push(route);
      const methods = route.method === 'GET' ? (['GET', 'HEAD'] as const) : route.method;
      router.on(
        methods as HTTPMethod | HTTPMethod[],
        route.path,
        (request, answer, params, _store, query) =>
          begin(route, request, answer, params as Exchange['params'], query),
        route,
      );
    },
    /** Sets the function that answers requests without a route. By default they are answered 404. */
    onUnknown: (handle: Route['handle']) => void (unknown.handle = handle),
    /** Answers a request as if it had no route. */
    answerUnknown(exchange: Exchange): void | Promise<void> {
      exchange.route = unknown;
      return unknown.handle(exchange);
    },
    /** Calls the function for each answer from now on. */
    observe: (onAnswered: OnAnswered) => void observers.push(onAnswered),
    /** From now on each answer closes its connection. */
    announceStop: () => void (is_stopping = true),
    get is_stopping() {
      return is_stopping;
    },
    /** Starts to serve; resolves to the server's URL, such as `http://127.0.0.1:8080`. */
    async listen(options: ListenOptions): Promise<string> {
      node.listen(options);
      await once(node, 'listening');
      return addressOf(node.address() as AddressInfo);
    },
    /** Refuses new connections; resolves when all connections are closed. */
    close(): Promise<void> {
      is_stopping = true;
      return new Promise((resolve) => node.close(() => resolve()));
    },
  };
}

/** The HTTP server, on which features mount their routes. */
export type HttpServer = ReturnType<typeof createHttpServer>;

/**
 * Reads the id that a proxy or a client gave its request, so that the sender's
 * log can be matched with ours. Returns null if there is no valid id.
 */
function readRequestId(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && /^[\w.:-]{8,64}$/.test(given) ? given : null;
}

function addressOf({ address, family, port }: AddressInfo): string {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `http://${family === 'IPv6' ? `[${shown}]` : shown}:${port}`;
}

/**
 * Refuses requests that Node and a proxy in front of it may read in different ways: a request must name its
 * host exactly once. A request to change to another protocol is answered in HTTP/1.1, and then its connection
 * closes, because Node drops further bytes that arrived together with such a request.
 */
function checkFraming(exchange: Exchange): void {
  const { rawHeaders, headers, httpVersion } = exchange.request;
  if (headers.upgrade !== undefined) exchange.setHeader('connection', 'close');
  const hosts = countHosts(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw badRequest(`A request has one Host header, this one has ${hosts}`);
}

/** @param raw Alternating names and values of headers. The parsed headers contain only the first `Host`. */
function countHosts(raw: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
