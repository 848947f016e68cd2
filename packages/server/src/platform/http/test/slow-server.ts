import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Method } from '@overworld/contract/operation';
import pino from 'pino';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { ApiError } from '../../errors.ts';
import { readConfig } from '../../config.ts';
import type { Exchange, Route } from '../exchange.ts';
import { closeHttpServer } from '../close-server.ts';
import { createHttpServer } from '../server.ts';

/**
 * Writes a request for the path `/name`. The server answers it when the test calls `answer`, or immediately
 * if the name begins with `fast`.
 */
export const get = (name: string, headers = '') =>
  `GET /${name} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;

/**
 * Starts a server. The test chooses the time of each answer and the bytes of each request.
 * @param linger_ms The time to read the reason that refused clients have. On a busy machine, a test may need
 * more than the usual time to send the rest of a large body.
 */
export async function startSlowServer(env: Record<string, string> = {}, linger_ms?: number) {
  const http = createHttpServer(readConfig(env), pino({ level: 'silent' }), { linger_ms });
  const begun: string[] = [];
  const answers = new Map<string, (text: string) => void>();
  /** Mounts a route that adds the path of each of its requests to `begun`. */
  const mount = (method: Method, path: string, handle: Route['handle'], refusal?: ApiError) =>
    http.mount({
      method,
      path,
      handle,
      admit({ request }) {
        begun.push(request.url!.slice(1));
        if (refusal) throw refusal;
      },
    });
  const answerByName = async (exchange: Exchange) => {
    const name = exchange.params.name!;
    const isFast = name.startsWith('fast');
    const text = isFast ? name : await new Promise<string>((resolve) => answers.set(name, resolve));
    exchange.send(200, text);
  };
  mount('GET', '/:name', answerByName);
  mount('POST', '/slow/:name', answerByName);
  mount('POST', '/small', (exchange) => exchange.send(200, 'read'));
  // Node looks for slow requests every 20 ms.
  Object.assign(http.node, { connectionsCheckingInterval: 20 });

  return {
    http,
    mount,
    /** The names of the requests that have begun since the last call of `connect`. */
    begun,
    /** For the name of each waiting request, the function that answers this request. */
    answers,

    async listen() {
      await http.listen({ host: '127.0.0.1', port: 0 });
    },

    connect(options: { allowHalfOpen?: boolean; localAddress?: string } = {}) {
      begun.length = 0;
      answers.clear();
      const { port } = http.node.address() as AddressInfo;
      return connect({ ...options, port, host: '127.0.0.1' }).on('error', () => undefined);
    },

    open(text: string) {
      const socket = this.connect().setEncoding('latin1');
      const client = { socket, said: '', closed: once(socket, 'close') };
      socket.on('data', (chunk: string) => (client.said += chunk));
      socket.write(text, 'latin1');
      return client;
    },

    /**
     * Sends a text on a new connection. @returns all that the server has sent when the connection is closed.
     */
    async say(text: string) {
      const client = this.open(text);
      await client.closed;
      return client.said;
    },

    async begins(...names: string[]) {
      await waitUntil(`${names} begin`, async () => begun.length >= names.length);
      assert.deepEqual(begun, names);
    },

    async answer(name: string) {
      await waitUntil(`${name} is asked for`, async () => answers.has(name));
      answers.get(name)!(`answer to ${name}`);
    },

    close: () => closeHttpServer(http, 100),
  };
}

/** Reads the status and the body of each answer. Fails if an answer is cut off. */
export function readAnswers(said: string): string[] {
  const answers: string[] = [];
  for (let rest = said; rest !== '';) {
    const [head, body_at] = [rest.split('\r\n\r\n', 1)[0]!, rest.indexOf('\r\n\r\n') + 4];
    const length = Number(/^content-length: (\d+)$/im.exec(head)![1]);
    const body = rest.slice(body_at, body_at + length);
    assert.equal(body.length, length);
    answers.push(`${head.split(' ')[1]} ${body}`);
    rest = rest.slice(body_at + length);
  }
  return answers;
}
