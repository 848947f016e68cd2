import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WindowCounts } from '../../workers/counts/window-counts.ts';
import { networkOf } from '../../network/network-address.ts';
import { cutOff } from './connection-limits.ts';
import { createNetworkCounts } from '../shares/network-counts.ts';

/** An error of Node's parser; once it has failed, it fails again at each piece that comes. */
interface BrokenRequest {
  code?: string;
  /** The buffer that came. */
  rawPacket?: unknown;
}

/** A client that is refused while it still sends has this time to read why. */
const LINGER_MS = 2_000;
/** Limit of one network in ten seconds: two bodies of 16 MB. To read 1 MB costs about 1 ms. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const DISCARD_WINDOW_MS = 10_000;
const LARGE_REST_BYTES = 32 * 1024;

/**
 * At a stop, a client that was answered just before may have its next request on the way: it is
 * answered too, and told that the connection closes.
 */
const STOP_GRACE_MS = 250;

const REFUSALS: { [code: string]: [status: number, error: string] } = {
  TOO_MANY_CONNECTIONS: [503, 'This address has too many connections open, close some'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The path and the headers may have 16 KiB'],
};

interface Exchange {
  request: IncomingMessage;
  answer: ServerResponse;
  /** True if the connection closes after this exchange. */
  is_last: boolean;
  /** True if the connection is about to be paused. */
  is_pausing: boolean;
}

/**
 * Keeps the connections of a server. The server must pass its requests and errors to it.
 * @param isProxy Whether an address is a proxy's, which sends for many clients.
 */
export function createConnections(windows: WindowCounts, isProxy: (address: string) => boolean) {
  /** The request under way of each connection that was used; null when it is answered. */
  const exchanges = new Map<Socket, Exchange | null>();
  const discarded = createNetworkCounts(windows, 'discarded bytes', DISCARD_WINDOW_MS);
  const discarded_by_socket = new WeakMap<Socket, number>();
  let is_stopping = false;

  const countDiscarded = (socket: Socket, bytes: number) => {
    const address = socket.remoteAddress ?? '';
    const own = (discarded_by_socket.get(socket) ?? 0) + bytes;
    discarded_by_socket.set(socket, own);
    if (isProxy(address)) return;
    if (discarded.add(networkOf(address), bytes) <= MAX_DISCARDED_BYTES) return;
    // A client that sends little after a refusal must not count towards the ban of its network.
    if (own >= LARGE_REST_BYTES) cutOff(socket);
    else socket.destroy();
  };

  const discardBody = (request: IncomingMessage) => {
    const { socket } = request;
    request.on('data', (chunk: Buffer) => countDiscarded(socket, chunk.length));
    request.once('end', cutLater(socket));
  };

  /**
   * Stops reading. Otherwise Node would make requests of everything that comes, and keep each of them.
   * Node reads on at the end of each message and when a body is read, so the pause comes after that.
   */
  const pauseSoon = (exchange: Exchange, socket: Socket) => {
    if (exchange.is_pausing) return;
    exchange.is_pausing = true;
    setImmediate(() => {
      exchange.is_pausing = false;
      socket.pause();
      countDiscarded(socket, socket.bytesRead);
    });
  };

  /** Closes the connection once its request is answered. */
  const makeLast = (exchange: Exchange, socket: Socket) => {
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
     * Reads and forgets the rest of a body that was refused. If the server closed the connection while
     * the client still sends, the system would answer it with a reset, and the client would lose the
     * answer that it has not read. The connection is cut when the rest takes more than two seconds.
     * Node must not close it: the answer needs `Connection: keep-alive`.
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
     * Begins a request. Browsers, proxies and game clients send one request after the other. If a
     * client sends one before the answer to the last, it is not begun, and the connection closes after
     * that answer: HTTP has a client send such a request again.
     * @returns Whether to handle it. When its answer is closed, call `end`.
     */
    begin(request: IncomingMessage, answer: ServerResponse): boolean {
      const { socket } = request;
      // The request came in one piece with another one, for which the connection was cut.
      if (socket.destroyed) return false;
      if (!socket.writable) {
        // The connection was refused before its first request.
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

    /** Ends the request under way of a connection. */
    end(socket: Socket) {
      if (!socket.writable) return;
      exchanges.set(socket, null);
      if (is_stopping) setTimeout(closeIdle, STOP_GRACE_MS);
    },

    /**
     * Answers bytes that are not a readable request, and closes the connection: 431 when path and
     * headers are too large, 408 when they came too slowly, 503 with the code `TOO_MANY_CONNECTIONS`,
     * else 400. Behind a request that is not answered yet, such bytes only close the connection.
     */
    refuseBroken(error: BrokenRequest, socket: Socket) {
      if (Buffer.isBuffer(error.rawPacket)) countDiscarded(socket, error.rawPacket.length);
      // The last answer is sent, or the client is gone, or it sends on after its last request.
      if (!socket.writable || error.code === 'HPE_CLOSED_CONNECTION') return;
      const exchange = exchanges.get(socket);
      if (exchange && !isArriving(exchange)) return makeLast(exchange, socket);
      // Nothing of a request that was too slow may be handled after its refusal.
      exchange?.request.pause();
      refuse(error.code, socket);
    },

    /** Answers a CONNECT with 400, and closes the connection. */
    refuseTunnel(socket: Socket) {
      // Node no longer handles errors of this socket.
      socket.on('error', () => socket.destroy());
      if (exchanges.get(socket)) return void socket.destroy();
      refuse(undefined, socket);
      socket.on('data', (chunk: Buffer) => countDiscarded(socket, chunk.length));
    },

    /** Closes the idle connections when the server stops, and each other connection once it is idle. */
    stop() {
      is_stopping = true;
      setTimeout(closeIdle, STOP_GRACE_MS);
    },
  };
}

/** Keeps each connection to one request at a time, and lets clients read why they are refused. */
export type Connections = ReturnType<typeof createConnections>;

/** Tells whether parts of the body are still to come, and nothing is answered yet. */
const isArriving = ({ request, answer }: Exchange) => !request.complete && !answer.headersSent;

const asksToClose = ({ httpVersion, headers: { connection = '' } }: IncomingMessage) =>
  httpVersion === '1.0' || /\bclose\b/i.test(connection);

/** @returns Keeps the connection. */
function cutLater(socket: Socket): () => void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return () => clearTimeout(timer);
}

function refuse(code: string | undefined, socket: Socket): void {
  const [status, message] = REFUSALS[code ?? ''] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      (status === 503 ? 'Retry-After: 1\r\n' : '') +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  cutLater(socket);
}
