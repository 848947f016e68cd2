import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../network/network-address.ts';
import { cutOff } from './connection-limits.ts';
import { createNetworkCounts } from './network-counts.ts';

/** Keeps order on each connection, whatever its client sends. */
export interface Connections {
  /**
   * Lets a request begin once all earlier ones of its connection are answered; never when the
   * connection ends before. One that has ten unanswered requests, or 64 KB of them, and sends
   * another is cut.
   * While one waits whose body is more than Node buffers, nothing is read, and so nobody sees that the
   * client has left before its turn comes.
   */
  takeTurn(request: IncomingMessage, answer: ServerResponse, begin: () => void): void;
  /**
   * Answers what is no request that could be read, once all before it is answered, and closes the
   * connection: 431 when path and headers are too large, 408 when it came too slowly, 400 for all
   * that is not HTTP; 503 with the code `TOO_MANY_CONNECTIONS`.
   */
  refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void;
  /** Answers a CONNECT with 400, and closes the connection; at once when others wait before it. */
  refuseTunnel(socket: Socket): void;
}

/** Clients send one request after the other, browsers too; who sends more ahead gets this many. */
const MAX_UNANSWERED = 10;

/** Else a connection could have ten bodies in memory, each just too small to be left unread. */
const MAX_BYTES_AHEAD = 64 * 1024;

/**
 * A client that still sends when its connection is closed loses the answer: what it sends then is met
 * by a reset, which throws away what it has not read. So we read on for so long.
 */
const LINGER_MS = 2_000;
/** Of one network in ten seconds: two bodies of 16 MB. To read 1 MB costs about 1 ms. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const DISCARD_WINDOW_MS = 10_000;

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

/** A request until it is answered; or, as the last of its connection, the refusal of what is none. */
interface Turn {
  begin(): void;
  /** Whether parts of its body are still to come, and nothing is said to it yet. */
  isArriving(): boolean;
  /** How much had come over the connection with its headers. */
  came_at_byte: number;
}

/**
 * Keeps the order of a server's connections; its requests and its errors have to be handed over.
 * @param isProxy Whether an address is a proxy's, which sends for many clients.
 */
export function createConnections(
  server: Server,
  isProxy: (address: string) => boolean,
): Connections {
  /** Of connections that were used; the oldest turn comes first: it alone has begun. */
  const turns_by_socket = new Map<Socket, Turn[]>();
  const getTurns = (socket: Socket) => {
    let turns = turns_by_socket.get(socket);
    if (!turns) {
      turns_by_socket.set(socket, (turns = []));
      socket.once('close', () => turns_by_socket.delete(socket));
    }
    return turns;
  };
  const discarded = createNetworkCounts(DISCARD_WINDOW_MS);
  /** Reads on for nothing: Node would parse what comes, and keep each request of it, unanswered. */
  const discardRest = (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const isCounted = !isProxy(address);
    const network = networkOf(address);
    const onData = (chunk: Buffer) => {
      if (isCounted && discarded.add(network, chunk.length) > MAX_DISCARDED_BYTES) cutOff(socket);
    };
    const discard = () => socket.removeAllListeners('data').on('data', onData);
    // Only Node's own listener for it makes a socket read again that stopped for a body.
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
  server.on('connection', (socket: Socket) => {
    // Node calls it after the last answer of a connection, and then the client's part is thrown away.
    socket.destroySoon = () => endSlowly(socket);
  });
  const closeIdle = () => {
    for (const [socket, turns] of turns_by_socket) {
      if (turns.length === 0 && socket.writable) socket.destroy();
    }
  };
  // Node calls it at a stop, and its own cuts answers that are made, but not sent to their end.
  server.closeIdleConnections = () => void setTimeout(closeIdle, STOP_GRACE_MS);

  return {
    takeTurn(request, answer, begin) {
      const { socket } = request;
      // This one came in one piece with the request for which the connection was cut.
      if (socket.destroyed) return;
      const turns = getTurns(socket);
      const bytes_ahead = socket.bytesRead - (turns[0]?.came_at_byte ?? Infinity);
      if (turns.length >= MAX_UNANSWERED || bytes_ahead > MAX_BYTES_AHEAD) {
        return cutOff(socket);
      }
      answer.once('close', () => {
        turns.shift();
        if (!socket.writable) return;
        if (turns.length > 0) turns[0]!.begin();
        else if (!server.listening) setTimeout(closeIdle, STOP_GRACE_MS);
      });
      const isArriving = () => !request.complete && !answer.headersSent;
      const turn = { begin, isArriving, came_at_byte: socket.bytesRead };
      if (turns.push(turn) === 1) begin();
    },

    refuseBroken(error, socket) {
      // The last answer is sent, or the client is gone.
      if (!socket.writable) return;
      const turns = getTurns(socket);
      const newest = turns.at(-1);
      if (newest?.isArriving()) {
        if (turns.length > 1 && error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
          return restartTimeout(newest, () => this.refuseBroken(error, socket));
        }
        // It is what is broken.
        turns.pop();
      }
      discardRest(socket);
      const begin = () => refuse(error, socket);
      const came_at_byte = socket.bytesRead;
      if (turns.push({ begin, isArriving: () => false, came_at_byte }) === 1) begin();
    },

    refuseTunnel(socket) {
      // Node listens to it no more.
      socket.on('error', () => socket.destroy());
      if (getTurns(socket).length > 0) socket.destroy();
      else refuse({ name: 'no tunnel', message: '' }, socket);
    },
  };

  /**
   * Node has begun to count before the turn of the request, while most of a large body is not read,
   * and says only once that the time is over.
   */
  function restartTimeout(turn: Turn, onTimeout: () => void): void {
    const { begin } = turn;
    turn.begin = () => {
      begin();
      const refuseLate = () => turn.isArriving() && onTimeout();
      setTimeout(refuseLate, server.requestTimeout).unref();
    };
  }
}

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
