import { Server } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest } from '../../errors.ts';
import type { Exchange } from '../exchange.ts';
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_INTERVAL_MS,
} from '../limits.ts';
import type { Connections } from './connections.ts';

/** Node's server. It handles a request only if the connection allows it. */
export class NodeServer extends Server {
  readonly #connections: Connections;

  constructor(connections: Connections, handle: RequestListener) {
    super({
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      // Without this option, Node emits the events of a stream for each request without a body.
      optimizeEmptyRequests: true,
      // Without this option, Node itself answers a request without Host, before `checkFraming` can.
      requireHostHeader: false,
    });
    this.#connections = connections;
    const begin: RequestListener = (request, answer) => {
      if (connections.begin(request, answer)) handle(request, answer);
    };
    this.on('request', begin);
    // Without this listener, Node answers an unknown `Expect` with 417 and no body.
    this.on('checkExpectation', begin);
    // Without this listener, Node closes a CONNECT without an answer.
    this.on('connect', (_request, socket) => connections.refuseTunnel(socket as Socket));
  }

  /** `close` calls this at a stop. Node's own method would cut answers that are not sent completely. */
  override closeIdleConnections(): void {
    this.#connections.stop();
  }
}

/**
 * Refuses requests that Node and a proxy in front of it may read in different ways: a request must name its
 * host exactly once. A request to change to another protocol is answered in HTTP/1.1, and then its connection
 * closes, because Node drops further bytes that arrived together with such a request.
 */
export function checkFraming(exchange: Exchange): void {
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
