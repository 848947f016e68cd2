import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What happens to a request on its way. */
export type Fate =
  /** It gets through, and so does its answer. */
  | 'pass'
  /** The connection is cut before any of it has got through. */
  | 'refuse'
  /** It is cut in the middle of the request. */
  | 'cut_request'
  /** The server answers, and the connection is cut instead. */
  | 'lose_answer'
  /** It is cut in the middle of the answer. */
  | 'cut_answer'
  /** Nothing of it gets through, and nothing comes back until the connection is cut. */
  | 'hang'
  /** It gets through after so many milliseconds. */
  | { delay_ms: number }
  /** This comes back instead, with a JSON or HTML body, and the server hears nothing. */
  | { status: number; headers?: Record<string, string>; body: string };

/** A network between a client and a server, that does what a test wants. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Decides over each request as it comes. */
  decide: () => Fate;
  /** How many requests have come. */
  requests: number;
}

/** No network keeps a dead connection for ever; a browser never ends a preflight itself, and has six. */
const LONGEST_HANG_MS = 30_000;

/** @param port Of the server, on this machine; asked for each connection, as it may be started anew. */
export async function startProxy(port: () => number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const listener = createServer((client) => {
    keep(client);
    let upstream: Socket | null = null;
    let fate: Fate = 'pass';
    /** A browser sends a body on its own: it shares the fate of its head. */
    let is_answered = true;
    const cut = () => {
      client.destroy();
      upstream?.destroy();
    };
    client.on('close', cut);
    client.on('data', (chunk: Buffer) => {
      if (is_answered) {
        proxy.requests++;
        fate = proxy.decide();
        is_answered = false;
      }
      if (fate === 'refuse') return cut();
      if (fate === 'hang') return void client.setTimeout(LONGEST_HANG_MS, cut);
      if (typeof fate === 'object' && 'status' in fate) {
        is_answered = true;
        return void client.end(writeAnswer(fate));
      }
      if (upstream === null) {
        upstream = keep(connect(port(), '127.0.0.1'));
        upstream.on('close', cut);
        upstream.on('data', (answer: Buffer) => {
          is_answered = true;
          if (fate === 'lose_answer') return cut();
          client.write(fate === 'cut_answer' ? answer.subarray(0, answer.length / 2) : answer);
          if (fate === 'cut_answer') cut();
        });
      }
      if (fate === 'cut_request') {
        upstream.write(chunk.subarray(0, chunk.length / 2), cut);
      } else if (typeof fate === 'object') {
        setTimeout(() => upstream!.write(chunk), fate.delay_ms);
      } else {
        upstream.write(chunk);
      }
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    decide: () => 'pass',
    requests: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return proxy;
}

/** Decides over the requests in turn, and lets all later ones pass. */
export const inTurn = (...fates: Fate[]) => {
  return () => fates.shift() ?? 'pass';
};

function writeAnswer({ status, headers, body }: Extract<Fate, { status: number }>): string {
  const all = {
    'content-type': body.startsWith('<') ? 'text/html' : 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'access-control-allow-origin': '*',
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} Status`, ...lines, '', body].join('\r\n');
}
