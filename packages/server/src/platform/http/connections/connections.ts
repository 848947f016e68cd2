import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../network/network-address.ts';
import { cutOff } from './connection-limits.ts';
import { createNetworkCounts } from '../shares/network-counts.ts';

/** Keeps each connection to one request at a time, and lets clients read why they are refused. */
export interface Connections {
  /**
   * Begins a request. Browsers, proxies and game clients send one request after the other. If a
   * client sends one before the answer to the last, it is not begun, and the connection closes after
   * that answer: HTTP has a client send such a request again.
   */
  begin(request: IncomingMessage, answer: ServerResponse, handle: () => void): void;
  /**
   * Answers bytes that are not a readable request, and closes the connection: 431 when path and
   * headers are too large, 408 when they came too slowly, 503 with the code `TOO_MANY_CONNECTIONS`,
   * else 400. Behind a request that is not answered yet, such bytes only close the connection.
   */
  refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void;
  /** Answers a CONNECT with 400, and closes the connection. */
  refuseTunnel(socket: Socket): void;
}

/**
 * If a client still sends when its connection is closed, the system answers it with a reset, and it
 * loses the answer that it has not read. So we read on for this time.
 */
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
  /** Whether the connection closes after it. */
  is_last: boolean;
}

/**
 * Keeps the connections of a server; its requests and its errors have to be handed over.
 * @param isProxy Whether an address is a proxy's, which sends for many clients.
 */
export function createConnections(
  server: Server,
  isProxy: (address: string) => boolean,
): Connections {
  /** The request under way of each connection that was used; null when it is answered. */
  const exchanges = new Map<Socket, Exchange | null>();
  const discarded = createNetworkCounts(DISCARD_WINDOW_MS);

  /** Reads and forgets all that comes: Node would make requests of it, and keep each of them. */
  const discardRest = (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const isCounted = !isProxy(address);
    const network = networkOf(address);
    let own = 0;
    const onData = (chunk: Buffer) => {
      own += chunk.length;
      if (!isCounted || discarded.add(network, chunk.length) <= MAX_DISCARDED_BYTES) return;
      // A neighbour that sends little behind a refusal must not count towards the network's ban.
      if (own >= LARGE_REST_BYTES) cutOff(socket);
      else socket.destroy();
    };
    const discard = () => socket.removeAllListeners('data').on('data', onData);
    // Only Node's own listener makes a socket read again that was paused for a body.
    if (socket.isPaused()) socket.once('resume', discard).resume();
    else discard();
  };

  /** Lets the client read the last answer, also while it still sends. */
  const endSlowly = (socket: Socket) => {
    socket.end();
    discardRest(socket);
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };

  /** Closes the connection once its request is answered; nothing behind that request is read. */
  const makeLast = (exchange: Exchange, socket: Socket) => {
    if (exchange.is_last) return;
    exchange.is_last = true;
    const { answer } = exchange;
    if (answer.headersSent) answer.once('close', () => endSlowly(socket));
    else answer.setHeader('Connection', 'close');
    discardRest(socket);
  };

  server.on('connection', (socket: Socket) => {
    // Node calls this after the last answer. Its own version throws away bytes that still come.
    socket.destroySoon = () => endSlowly(socket);
  });
  const closeIdle = () => {
    for (const [socket, exchange] of exchanges) {
      if (exchange === null && socket.writable) socket.destroy();
    }
  };
  // Node calls this at a stop. Its own version cuts answers that are not sent to their end.
  server.closeIdleConnections = () => void setTimeout(closeIdle, STOP_GRACE_MS);

  return {
    begin(request, answer, handle) {
      const { socket } = request;
      // The request came in one piece with another one, for which the connection was cut.
      if (socket.destroyed) return;
      const earlier = exchanges.get(socket);
      if (earlier) return makeLast(earlier, socket);
      if (earlier === undefined) socket.once('close', () => exchanges.delete(socket));
      exchanges.set(socket, { request, answer, is_last: false });
      answer.once('close', () => {
        if (!socket.writable) return;
        exchanges.set(socket, null);
        if (!server.listening) setTimeout(closeIdle, STOP_GRACE_MS);
      });
      handle();
    },

    refuseBroken(error, socket) {
      // The last answer is sent, or the client is gone.
      if (!socket.writable) return;
      const exchange = exchanges.get(socket);
      if (exchange && !isArriving(exchange)) return makeLast(exchange, socket);
      discardRest(socket);
      refuse(error, socket);
    },

    refuseTunnel(socket) {
      // Node no longer handles errors of this socket.
      socket.on('error', () => socket.destroy());
      if (exchanges.get(socket)) socket.destroy();
      else refuse({ name: 'no tunnel', message: '' }, socket);
    },
  };
}

/** Whether parts of the body are still to come, and nothing is answered yet. */
const isArriving = ({ request, answer }: Exchange) => !request.complete && !answer.headersSent;

function refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  const [status, message] = REFUSALS[code] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: message });
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      (status === 503 ? 'Retry-After: 1\r\n' : '') +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}
