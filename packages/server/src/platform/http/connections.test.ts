import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { promisify } from 'node:util';
import pino from 'pino';
import { waitUntil } from '../../../test/wait-until.ts';
import { readConfig } from '../config.ts';
import { ApiError } from '../errors.ts';
import { createHttpServer } from './server.ts';

/** More than fits into the buffers of two sockets. */
const BIG = Buffer.alloc(16_000_000, 'x');

describe('a connection', () => {
  let app: FastifyInstance;
  let port: number;
  /** Requests that have begun. */
  let begun: string[] = [];
  let answers = new Map<string, PromiseWithResolvers<string>>();
  /** Of answers that were sent to their end. */
  const statuses: number[] = [];
  before(async () => {
    app = await createHttpServer(readConfig({}), pino({ level: 'silent' }));
    app.addHook('onResponse', async (_request, reply) => void statuses.push(reply.statusCode));
    app.post('/small', async () => 'read');
    app.post(
      '/forbidden',
      { onRequest: () => Promise.reject(new ApiError(401, 'no')) },
      async () => 'read',
    );
    app.get('/large', async () => 'x'.repeat(10_000_000));
    app.get<{ Params: { name: string } }>('/:name', ({ params: { name } }) => {
      begun.push(name);
      const answer = Promise.withResolvers<string>();
      answers.set(name, answer);
      return answer.promise;
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  after(() => app.close());

  const open = (text: string) => {
    begun = [];
    answers = new Map();
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const client = { socket, said: '', closed: once(socket, 'close') };
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (chunk: string) => (client.said += chunk));
    return client;
  };
  /** What is answered to this until the connection is closed. */
  const say = async (text: string) => {
    const client = open(text);
    await client.closed;
    return client.said;
  };
  const get = (name: string, headers = '') => `GET /${name} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
  const begins = (...names: string[]) =>
    waitUntil(`${names} begin`, async () => begun.length >= names.length).then(() =>
      assert.deepEqual(begun, names),
    );

  for (const [path, status] of [
    ['/small', 413],
    ['/forbidden', 401],
  ] as const) {
    for (const framing of [`content-length: ${BIG.length}`, 'transfer-encoding: chunked']) {
      for (const end of ['keep-alive', 'close']) {
        test(`brings a ${status} to who sends all before reading (${framing}, ${end})`, async () => {
          statuses.length = 0;
          const socket = connect(port, '127.0.0.1').pause().setEncoding('latin1');
          socket.on('error', () => undefined);
          const ended = once(socket, 'close');
          socket.write(
            `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${end}\r\n${framing}\r\n\r\n`,
          );
          const parts = framing.endsWith('chunked')
            ? [`${BIG.length.toString(16)}\r\n`, BIG, '\r\n0\r\n\r\n']
            : [BIG];
          for (const part of parts) await promisify(socket.write.bind(socket))(part as Buffer);
          let said = '';
          socket.on('data', (chunk: string) => (said += chunk)).resume();
          await waitUntil('it is answered', async () => said.endsWith('}'));
          assert.ok(said.startsWith(`HTTP/1.1 ${status} `), said);
          assert.deepEqual(statuses, [status]);
          socket.destroy();
          await ended;
        });
      }
    }
  }

  test('is cut when the rest of a body that was refused does not come', async () => {
    const started_ms = performance.now();
    const head = `POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: ${BIG.length}\r\n\r\n{`;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    const accepted = (await once(app.server, 'connection')) as [Socket];
    socket.write(head);
    await once(accepted[0], 'close');
    const took_ms = performance.now() - started_ms;
    assert.ok(took_ms > 1_500 && took_ms < 10_000, `${took_ms} ms`);
    socket.destroy();
  });

  for (const [what, text, answer] of [
    ['a path that is too long', `GET /${'y'.repeat(1_000_000)}`, '431 Request Header Fields'],
    ['what is no HTTP', 'binary\r\n'.repeat(100_000), '400 Bad Request'],
  ] as const) {
    test(`brings a refusal of ${what} to who still sends`, async () => {
      for (let round = 0; round < 10; round++) {
        const [head, body] = (await say(text)).split('\r\n\r\n');
        assert.ok(head!.startsWith(`HTTP/1.1 ${answer}`), head);
        assert.equal(typeof JSON.parse(body!).error, 'string');
      }
    });
  }

  test('sends the answer that is under way, and it alone, when something broken follows', async () => {
    const client = open(`${get('slow')}no HTTP\r\n\r\n`);
    await begins('slow');
    answers.get('slow')!.resolve('answered');
    await client.closed;
    assert.match(client.said, /^HTTP\/1\.1 200 .*\r\n\r\nanswered$/s);
    const half = await say(`${get('large')}no HTTP\r\n\r\n`);
    assert.equal(half.length - half.indexOf('\r\n\r\n') - 4, 10_000_000);
    assert.ok(half.endsWith('x'));
  });

  test('begins requests that were sent ahead one by one, and none when it is cut', async () => {
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const client = open(get('first') + get('second') + get('third'));
    const [socket] = await accepted;
    await begins('first');
    answers.get('first')!.resolve('1');
    await begins('first', 'second');
    client.socket.destroy();
    await once(socket, 'close');
    answers.get('second')!.resolve('2');
    await new Promise(setImmediate);
    await begins('first', 'second');
  });

  test('begins none behind its last answer', async () => {
    const client = open(get('last', 'connection: close\r\n') + get('never'));
    await begins('last');
    answers.get('last')!.resolve('answered');
    await client.closed;
    const post = `POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n`;
    const refused = await say(post + 'x'.repeat(2_000_000) + get('never'));
    assert.match(refused, /^HTTP\/1\.1 413 /);
    assert.deepEqual(begun, []);
  });

  test('has at most 100 requests unanswered: another cuts it, and others are served', async () => {
    await open(get('greedy').repeat(101)).closed;
    const patient = open(get('slow').repeat(100));
    for (let answered = 0; answered < 100; answered++) {
      await waitUntil('it begins', async () => answers.has('slow'));
      const { resolve } = answers.get('slow')!;
      answers.delete('slow');
      resolve('answered');
    }
    await waitUntil('all are answered', async () => patient.said.split('answered').length > 100);
    patient.socket.destroy();
  });
});
