import { Server } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';

/** A client has this long to send a whole request with headers and body. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A client has this long to send the headers, or to begin a request on a new connection. */
const HEADERS_TIMEOUT_MS = 10_000;

/** The interval between searches for connections that exceed the two times above. */
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;

/** An idle connection is closed after this time. Most proxies close their idle connections earlier. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

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
      // Without this option, Node itself answers a request without Host, and not with our error.
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
