import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * A client that still sends when its connection is closed loses the answer: what it sends then is met
 * by a reset, which throws away what it has not read. So we read on for so long.
 */
const LINGER_MS = 2_000;

const REFUSALS: { [code: string]: [status: number, error: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The path and the headers may have 16 KiB'],
};

/**
 * Answers what is no request that could be read: 431 when its path and headers are too large, 408 when
 * it came too slowly, 400 for all that is not HTTP. The connection is closed once the client has the
 * answer.
 */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Once per chunk that still comes, or the client is gone.
  if (socket.writableEnded || socket.destroyed || error.code === 'ECONNRESET') return;
  const [status, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP'];
  const body = JSON.stringify({ error: message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Who was too slow has had its time.
  if (status === 408) socket.destroySoon();
  else setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * The answer to a request whose body is too large: it comes at once, and ends when the client has sent
 * the rest, or has not for long, since Node may close the connection at its end.
 * @param text To be sent with a `Content-Length`, by which the client knows that it has it all.
 */
export const answerBeforeBody = (request: IncomingMessage, text: string): Readable =>
  Readable.from(
    (async function* () {
      yield text;
      request.resume();
      await finished(request, { signal: AbortSignal.timeout(LINGER_MS) }).catch(() => undefined);
    })(),
  );
