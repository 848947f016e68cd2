import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The fate of a request on its way. */
export type Fate =
  /** The request and its answer get through. */
  | 'pass'
  /** The connection is cut before the request. */
  | 'refuse'
  /** The connection is cut in the middle of the request. */
  | 'cut_request'
  /** The server answers, but the connection is cut before the answer. */
  | 'lose_answer'
  /** The connection is cut in the middle of the answer. */
  | 'cut_answer'
  /** Nothing gets through in either direction until the connection is cut. */
  | 'hang'
  /** The request gets through after this delay. */
  | { delay_ms: number }
  /** This answer with a JSON or HTML body comes back, and the server does not see the request. */
  | { status: number; headers?: Record<string, string>; body: string };

/** Answers of proxies, captive portals and other servers. */
export const FOREIGN_ANSWERS: Fate[] = [
  { status: 404, body: '<h1>Not Found</h1>' },
  { status: 403, body: '<h1>Forbidden</h1>' },
  { status: 403, body: '{"message":"Forbidden"}' },
  { status: 302, headers: { location: '/log-in' }, body: '' },
  { status: 200, body: '<p>Log in to the network of the train</p>' },
  { status: 200, body: '{"status":"ok"}' },
  { status: 200, body: '' },
];

/** A network between a client and a server. A test controls the network. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Chooses the fate of each request when it arrives. */
  decide: () => Fate;
  /** Number of requests so far. */
  requests: number;
}

/**
 * A hanging connection is cut after this time, as networks do. Browsers have only six connections, and
 * never end a preflight by themselves.
 */
const LONGEST_HANG_MS = 30_000;

/** @param port Port of the server on this machine. It may change when the server restarts. */
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
    /**
     * True if the next chunk begins a request. If false, the
     * next chunk is a body, which browsers send after the head.
     */
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

/** Gives these fates to the next requests in turn, and lets all later requests pass. */
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
