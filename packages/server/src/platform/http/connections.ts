import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Keeps order on each connection, whatever its client sends. */
export interface Connections {
  /**
   * Lets a request begin once all earlier ones of its connection are answered; never when the
   * connection ends before. One that has a hundred unanswered requests and sends another is cut.
   */
  takeTurn(request: IncomingMessage, answer: ServerResponse, begin: () => void): void;
  /**
   * Answers what is no request that could be read, and closes the connection: 431 when its path and
   * headers are too large, 408 when it came too slowly, 400 for all that is not HTTP. What comes behind
   * a request that is being answered gets no answer of its own: that one is still sent.
   */
  refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void;
}

/** Clients send one request after the other, browsers too; who sends more ahead gets this many. */
const MAX_UNANSWERED = 100;

/**
 * A client that still sends when its connection is closed loses the answer: what it sends then is met
 * by a reset, which throws away what it has not read. So we read on for so long.
 */
const LINGER_MS = 2_000;

/** The longest that an answer takes is a report, of 90 s. */
const LONGEST_ANSWER_MS = 120_000;

const REFUSALS: { [code: string]: [status: number, error: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The path and the headers may have 16 KiB'],
};

/** What a connection has to answer. */
interface Unanswered {
  count: number;
  /** Null when all are answered: an idle connection keeps nothing of them. */
  newest: { request: IncomingMessage; answer: ServerResponse } | null;
  /** Whether what came behind the newest request is none. */
  is_broken: boolean;
}

export function createConnections(): Connections {
  const connections = new WeakMap<Socket, Unanswered>();
  return {
    takeTurn(request, answer, begin) {
      const { socket } = request;
      // The answer before this one was the connection's last.
      if (!socket.writable) return;
      let unanswered = connections.get(socket);
      if (!unanswered) {
        unanswered = { count: 0, newest: null, is_broken: false };
        connections.set(socket, unanswered);
      }
      if (unanswered.count >= MAX_UNANSWERED) return void socket.destroy();
      const before = unanswered.newest;
      unanswered.count += 1;
      unanswered.newest = { request, answer };
      answer.once('close', () => {
        unanswered.count -= 1;
        if (unanswered.count === 0) unanswered.newest = null;
        if (unanswered.is_broken) socket.destroySoon();
      });
      if (before === null) return begin();
      before.answer.once('close', () => {
        if (socket.writable) begin();
      });
    },

    refuseBroken(error, socket) {
      // Once for each part that still comes, or the client is gone.
      if (!socket.writable || error.code === 'ECONNRESET') return;
      const unanswered = connections.get(socket);
      if (unanswered?.is_broken) return;
      if (unanswered && isAnswering(unanswered)) {
        unanswered.is_broken = true;
        return destroyAfter(socket, LONGEST_ANSWER_MS);
      }
      const [status, message] = REFUSALS[error.code ?? ''] ?? [
        400,
        'The request is not valid HTTP',
      ];
      const body = JSON.stringify({ error: message });
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
          'Content-Type: application/json; charset=utf-8\r\n' +
          `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
      socket.destroySoon();
    },
  };
}

/** Whether there is more to answer than the request that was broken off, if it was one. */
const isAnswering = ({ count, newest }: Unanswered) =>
  newest !== null && (count > 1 || newest.request.complete || newest.answer.headersSent);

/** Lets clients whose connection is closed read the last answer, also while they still send. */
export function lingerAtEnd(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // Node calls it after the last answer of a connection, and then the client's part is thrown away.
    socket.destroySoon = () => {
      if (!socket.writable) return;
      socket.end();
      destroyAfter(socket, LINGER_MS);
    };
  });
}

function destroyAfter(socket: Socket, delay_ms: number): void {
  const timer = setTimeout(() => socket.destroy(), delay_ms);
  socket.once('close', () => clearTimeout(timer));
}
