import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { readConfig } from '../config.ts';
import { createHttpServer } from './server.ts';

const BIG = Buffer.alloc(20_000_000, 'x');

describe('a client that is refused while it still sends', () => {
  let app: FastifyInstance;
  let port: number;
  before(async () => {
    app = await createHttpServer(readConfig({}), pino({ level: 'silent' }));
    app.post('/small', async () => 'read');
    app.get('/slow', () => new Promise((resolve) => setTimeout(resolve, 200, 'answered')));
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  after(() => app.close());

  /** Sends this on a connection of its own. @returns what was answered until it was closed. */
  const say = async (text: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let said = '';
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (chunk: string) => (said += chunk));
    await once(socket, 'close');
    return said;
  };

  for (const headers of [
    { 'content-length': BIG.length },
    { 'content-length': BIG.length, connection: 'close' },
    { 'transfer-encoding': 'chunked' },
    { 'transfer-encoding': 'chunked', connection: 'close' },
  ]) {
    test(`reads that its body is too large (${Object.keys(headers).join(', ')})`, async () => {
      // Without reading on, one in three is told.
      for (let round = 0; round < 10; round++) {
        const post = { port, method: 'POST', path: '/small', headers };
        const sent = request(post).end(BIG);
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        assert.equal(answer.statusCode, 413);
        const body = (await answer.toArray()).join('');
        assert.deepEqual(JSON.parse(body), { error: 'The request body is too large' });
      }
    });
  }

  test('is cut when it does not send the rest', async () => {
    const head = `POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: ${BIG.length}\r\n\r\n{`;
    assert.match(await say(head), /^HTTP\/1\.1 413 /);
  });

  for (const [what, text, answer] of [
    [
      'its path is too long',
      `GET /${'y'.repeat(1_000_000)}`,
      '431 Request Header Fields Too Large',
    ],
    ['it speaks no HTTP', 'binary\r\n'.repeat(100_000), '400 Bad Request'],
  ] as const) {
    test(`reads that ${what}`, async () => {
      for (let round = 0; round < 10; round++) {
        const [head, body] = (await say(text)).split('\r\n\r\n');
        assert.ok(head!.startsWith(`HTTP/1.1 ${answer}\r\n`), head);
        assert.equal(typeof JSON.parse(body!).error, 'string');
      }
    });
  }

  test('in the midst of another answer harms nobody else', async () => {
    const said = await say('GET /slow HTTP/1.1\r\nhost: x\r\n\r\nno HTTP\r\n\r\n');
    assert.match(said, /^HTTP\/1\.1 400 /);
    const slow = await fetch(`http://127.0.0.1:${port}/slow`);
    assert.equal(await slow.text(), 'answered');
  });
});
