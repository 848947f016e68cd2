import { Agent, request as sendRequest } from 'node:http';
import { connect } from 'node:net';

/** The answer of a server, as far as it arrived. */
export interface WireAnswer {
  /** Null if the connection was closed without an answer. */
  status: number | null;
  /** Head and body, as text. */
  head: string;
  content_type: string;
  text: string;
}

/** Matches a body that was sent as a single chunk. */
const ONE_CHUNK = /^[0-9a-f]+\r\n([^]*)\r\n0\r\n\r\n$/i;

const PATIENCE_MS = 60_000;

/** Sends requests unchanged over connections that stay open, or sends raw bytes. */
interface Wire {
  /** @throws when no answer comes in 60 s, or Node refuses to send the request. */
  send(
    method: string,
    path: string,
    headers: readonly (readonly [string, string])[],
    body: Buffer | null,
  ): Promise<WireAnswer>;
  /** Sends bytes on a new connection. A server need not answer bytes that are not HTTP. */
  sendBytes(bytes: Buffer): Promise<WireAnswer>;
  close(): void;
}

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const send: Wire['send'] = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = sendRequest({
        hostname,
        port,
        agent,
        method,
        path,
        timeout: PATIENCE_MS,
        headers: completeHeaders(headers, body).flat(),
      });
      sent.on('timeout', () => sent.destroy(new Error('No answer in 60 s')));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a connection just when it is used again, for example after a body that was
        // too large.
        const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        if (isClosed) resolve(send(method, path, headers, body));
        else reject(error);
      });
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? null,
            head: response.rawHeaders.join('\n'),
            content_type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.end(body ?? undefined);
    });
  return {
    send,
    sendBytes: (bytes) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        const socket = connect(Number(port), hostname, () => socket.end(bytes));
        socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('No answer in 60 s')));
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.on('error', (error: NodeJS.ErrnoException) =>
          // A server that refuses a request need not read the rest of it.
          error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
        );
        socket.on('close', () => {
          const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
          const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
          const content_type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
          resolve({
            status: status === undefined ? null : Number(status),
            head,
            content_type,
            text: rest.join('\r\n\r\n').replace(ONE_CHUNK, '$1'),
          });
        });
      }),
    close: () => agent.destroy(),
  };
}

/** Adds the headers that a request needs. Node adds none if the headers are given as a list. */
function completeHeaders(
  headers: readonly (readonly [string, string])[],
  body: Buffer | null,
): (readonly [string, string])[] {
  const hasHost = headers.some(([name]) => name === 'host');
  return [
    ...(hasHost ? [] : [['host', '127.0.0.1'] as const]),
    ...headers,
    ...(body ? [['content-length', String(body.length)] as const] : []),
  ];
}
