import { Server, STATUS_CODES } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ANSWER_MARK } from '@overworld/contract/answer-mark';
import { RELEASE } from '../../release.ts';
import type { WindowCounts } from '../../workers/counts/window-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import { cutOff } from './connection-limits.ts';
import {
  CUT_OFF_REST_BYTES,
  DISCARD_WINDOW_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  LINGER_MS,
  MAX_DISCARDED_BYTES,
  REQUEST_TIMEOUT_MS,
  SMALL_REST_BYTES,
  STOP_GRACE_MS,
  TIMEOUT_CHECK_INTERVAL_MS,
} from '../limits.ts';
import { all, compile } from '@fastify/proxy-addr';
import type { Config } from '../../config.ts';

/**
 * An error of Node's parser. Once the parser has failed, it fails again at each piece of data that arrives.
 */
interface BrokenRequest {
  code?: string;
  /** The piece of data that arrived. */
  rawPacket?: unknown;
}

const REFUSALS: { [code: string]: [status: number, error: string] } = {
  TOO_MANY_CONNECTIONS: [503, 'This address has too many connections open, close some'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The path and the headers may have 16 KiB'],
};

interface OpenRequest {
  request: IncomingMessage;
  answer: ServerResponse;
  /** True if the connection closes after this exchange. */
  is_last: boolean;
  /** True if the connection is about to be paused. */
  is_pausing: boolean;
}

/**
 * Manages the connections of a server. The server must pass all requests and errors to the returned
 * functions.
 * @param isProxy Tells whether an address belongs to a proxy, which sends requests of many clients.
 * @param linger_ms The time to read the reason that a client has if it is refused while it is still sending.
 */
export function createConnections(
  windows: WindowCounts,
  isProxy: (address: string) => boolean,
  linger_ms = LINGER_MS,
) {
  /** The request in progress of each connection that was used; null when all its requests are answered. */
  const exchanges = new Map<Socket, OpenRequest | null>();
  const discarded_by_socket = new WeakMap<Socket, number>();
  let is_stopping = false;

  const countDiscarded = (socket: Socket, bytes: number) => {
    const address = socket.remoteAddress ?? '';
    const own = (discarded_by_socket.get(socket) ?? 0) + bytes;
    discarded_by_socket.set(socket, own);
    if (isProxy(address)) return;
    const of_network = `discarded bytes ${networkOf(address)}`;
    if (windows.add(of_network, bytes, DISCARD_WINDOW_MS).count <= MAX_DISCARDED_BYTES) return;
    // The network has reached its limit of discarded bytes. Only a client that has sent much after its
    // refusal counts towards the ban of its network.
    if (own >= CUT_OFF_REST_BYTES) cutOff(socket);
    else socket.destroy();
  };

  const discardBody = (request: IncomingMessage) => {
    const { socket } = request;
    request.on('data', (chunk: Buffer) => countDiscarded(socket, chunk.length));
    request.once('end', cutLater(socket, linger_ms));
  };

  /**
   * Stops reading from the connection. Without the pause, Node would turn everything that arrives into
   * requests and keep them all in memory. Node resumes reading at the end of each message and when a body is
   * read, so the pause comes a turn of the event loop later.
   */
  const pauseSoon = (exchange: OpenRequest, socket: Socket) => {
    if (exchange.is_pausing) return;
    exchange.is_pausing = true;
    setImmediate(() => {
      exchange.is_pausing = false;
      socket.pause();
      countDiscarded(socket, socket.bytesRead);
    });
  };

  /** Makes the connection close once its request is answered. */
  const makeLast = (exchange: OpenRequest, socket: Socket) => {
    if (exchange.is_last) return;
    exchange.is_last = true;
    const { answer } = exchange;
    if (!answer.headersSent) answer.setHeader('Connection', 'close');
    else answer.once('close', () => socket.destroySoon());
  };

  const closeIdle = () => {
    for (const [socket, exchange] of exchanges) {
      if (exchange === null && socket.writable) socket.destroy();
    }
  };

  return {
    /**
     * Reads and discards the rest of a body that was refused. If the server closed the connection while the
     * client is still sending, the operating system would send a reset, and the client would lose the
     * answer that it has not read yet. The connection is cut when the rest takes more than two seconds.
     * Node must not close the connection itself: the answer needs `Connection: keep-alive`.
     */
    discardRest(request: IncomingMessage, answer: ServerResponse) {
      const { socket } = request;
      discardBody(request);
      if (!asksToClose(request)) return;
      const close = () => {
        if (request.complete && answer.writableFinished) socket.destroySoon();
      };
      request.once('end', close);
      answer.once('finish', close);
    },

    /**
     * Begins a request. Browsers, proxies and game clients send one request after the
     * other. If a client sends a request before its previous request is answered, the
     * new request is not begun, and the connection closes after the answer to the
     * previous one. HTTP then expects the client to send the request again.
     * @returns true if the request must be handled. Call `end` when its answer is closed.
     */
    begin(request: IncomingMessage, answer: ServerResponse): boolean {
      const { socket } = request;
      // The request came in one piece with an earlier request, and the server has cut the connection because
      // of the earlier request.
      if (socket.destroyed) return false;
      if (!socket.writable) {
        // The server has refused the connection before reading its first request.
        if (request.readableEnded) socket.destroy();
        else {
          discardBody(request);
          request.once('end', () => socket.destroy());
        }
        return false;
      }
      const earlier = exchanges.get(socket);
      if (earlier) {
        pauseSoon(earlier, socket);
        makeLast(earlier, socket);
        return false;
      }
      if (earlier === undefined) socket.once('close', () => exchanges.delete(socket));
      exchanges.set(socket, { request, answer, is_last: false, is_pausing: false });
      return true;
    },

    /** Ends the request in progress of a connection. */
    end(socket: Socket) {
      if (!socket.writable) return;
      exchanges.set(socket, null);
      if (is_stopping) setTimeout(closeIdle, STOP_GRACE_MS);
    },

    /**
     * Answers bytes that are not a readable request, and closes the connection. The status is 431 when path
     * and headers are too large, 408 when they came too slowly, 503 for the code `TOO_MANY_CONNECTIONS`, and
     * otherwise 400. If such bytes come while an earlier request is not answered yet, they get no answer, and
     * the connection closes after the answer to the earlier request.
     */
    refuseBroken(error: BrokenRequest, socket: Socket) {
      if (Buffer.isBuffer(error.rawPacket)) countDiscarded(socket, error.rawPacket.length);
      // Either the last answer is sent, or the client is gone, or the client keeps sending after its last
      // request.
      if (!socket.writable || error.code === 'HPE_CLOSED_CONNECTION') return;
      const exchange = exchanges.get(socket);
      if (exchange && !isArriving(exchange)) return makeLast(exchange, socket);
      // After the refusal of a request that came too slowly, no more of this request may be handled.
      exchange?.request.pause();
      refuse(error.code, socket, linger_ms);
    },

    /** Answers a CONNECT with 400, and closes the connection. */
    refuseTunnel(socket: Socket) {
      // Node no longer handles errors of this socket.
      socket.on('error', () => socket.destroy());
      if (exchanges.get(socket)) return void socket.destroy();
      refuse(undefined, socket, linger_ms);
      socket.on('data', (chunk: Buffer) => countDiscarded(socket, chunk.length));
    },

    /** Closes the idle connections when the server stops, and each other connection once it is idle. */
    stop() {
      is_stopping = true;
      setTimeout(closeIdle, STOP_GRACE_MS);
    },
  };
}

/** The connections of a server, each with one request at a time. Clients can read why they are refused. */
export type Connections = ReturnType<typeof createConnections>;

/**
 * Tells whether the rest of a refused body is long or of unknown length. Node would close the connection
 * after the answer, while the client is still sending this rest.
 */
export const hasLargeRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && !(Number(headers['content-length']) <= SMALL_REST_BYTES);

/** Tells whether parts of the body are still to come, and nothing is answered yet. */
const isArriving = ({ request, answer }: OpenRequest) => !request.complete && !answer.headersSent;

const asksToClose = ({ httpVersion, headers: { connection = '' } }: IncomingMessage) =>
  httpVersion === '1.0' || /\bclose\b/i.test(connection);

/** Cuts the connection after a time. @returns A function that prevents this. */
function cutLater(socket: Socket, linger_ms: number): () => void {
  const timer = setTimeout(() => socket.destroy(), linger_ms).unref();
  return () => clearTimeout(timer);
}

function refuse(code: string | undefined, socket: Socket, linger_ms: number): void {
  const [status, message] = REFUSALS[code ?? ''] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      `${ANSWER_MARK}: ${RELEASE}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      (status === 503 ? 'Retry-After: 1\r\n' : '') +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  cutLater(socket, linger_ms);
}

/** Makes functions that find the client of a request, even behind the proxies that TRUST_PROXY lists. */
export function createClientAddresses({ trust_proxy }: Pick<Config, 'trust_proxy'>) {
  const addressOf = ({ socket }: IncomingMessage) => socket.remoteAddress ?? '';
  const statedHost = ({ headers }: IncomingMessage) => headers.host ?? '';
  if (trust_proxy === false) {
    return { isProxy: () => false, of: addressOf, hostOf: statedHost };
  }
  const isTrusted = trust_proxy === true ? () => true : compile(trust_proxy);
  const isProxy = (address: string) => isTrusted(address, 0);
  return {
    /** Tells whether an address belongs to a trusted proxy. */
    isProxy,
    /**
     * Finds the client's address; behind trusted proxies, the address that
     * they name. Returns an empty text if the connection is closed already.
     */
    of: (request: IncomingMessage): string => all(request, isTrusted).at(-1) ?? '',
    /** Finds the host that the client requested; behind trusted proxies, the host that they name. */
    hostOf(request: IncomingMessage): string {
      const named = request.headers['x-forwarded-host'];
      const isNamed = typeof named === 'string' && named !== '' && isProxy(addressOf(request));
      if (!isNamed) return statedHost(request);
      // The last host was added by the proxy that connects to us.
      return named.slice(named.lastIndexOf(',') + 1).trim();
    },
  };
}

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
