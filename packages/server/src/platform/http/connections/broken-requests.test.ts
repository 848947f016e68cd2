import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { get, readAnswers, startSlowServer } from '../test/slow-server.ts';

const NO_HTTP = 'no HTTP\r\n\r\n';
const BAD_REQUEST = '400 {"error":"The request is not valid HTTP"}';
const TOO_SLOW = '408 {"error":"The request took too long to arrive"}';
const post = (name: string, length: number) =>
  `POST /${name} HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;
const brokenPost = (name: string) =>
  `POST /${name} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n`;

describe('a malformed request', async () => {
  const server = await startSlowServer({}, 60_000);
  const { http, begun } = server;
  /** The content of the answer that `/early` begins before the request's body has arrived. */
  let early = new PassThrough();
  before(async () => {
    server.mount('GET', '/fast-download', (exchange) => exchange.send(200, 'x'.repeat(10_000_000)));
    http.mount({
      method: 'POST',
      path: '/early',
      admit(exchange) {
        begun.push('early');
        exchange.sendStream(200, (early = new PassThrough()));
        return new Promise(() => undefined);
      },
      handle: () => undefined,
    });
    await server.listen();
  });
  const setTimeouts = (timeout_ms: number) =>
    Object.assign(http.node, { requestTimeout: timeout_ms, headersTimeout: timeout_ms });
  beforeEach(() => setTimeouts(60_000));
  after(() => server.close());

  /** Waits until Node reports this error on a connection. */
  const fails = async (code: string) => {
    for await (const [error] of on(http.node, 'clientError')) if (error.code === code) return;
  };

  for (const [what, text, answer] of [
    ['a path that is too long', `GET /${'y'.repeat(1_000_000)}`, '431'],
    ['what is no HTTP', 'binary\r\n'.repeat(100_000), '400'],
  ] as const) {
    test(`is refused, and a client that is still sending can read the reason (${what})`, async () => {
      for (let round = 0; round < 10; round++) {
        const [refusal] = readAnswers(await server.say(text));
        assert.equal(refusal!.slice(0, 3), answer);
        assert.equal(typeof JSON.parse(refusal!.slice(4)).error, 'string');
      }
    });
  }

  test('that follows a valid request closes the connection once the valid request is answered', async () => {
    for (const behind of [NO_HTTP, brokenPost('small')]) {
      const client = server.open(get('slow') + behind);
      await server.answer('slow');
      await client.closed;
      assert.deepEqual(readAnswers(client.said), ['200 answer to slow']);
      assert.deepEqual(begun, ['slow']);
    }
    const [download, ...rest] = readAnswers(await server.say(get('fast-download') + NO_HTTP));
    assert.deepEqual([download!.length, rest], [10_000_004, []]);
    assert.deepEqual(readAnswers(await server.say(brokenPost('small'))), [BAD_REQUEST]);
  });

  test('does not cut off an answer that began before the body arrived', async () => {
    const client = server.open(
      post('early', 1_000_000).replace('content-length: 1000000', 'transfer-encoding: chunked'),
    );
    await server.begins('early');
    early.write('begun, ');
    await waitUntil('the answer begins', async () => client.said.includes('begun'));
    const broken = fails('HPE_INVALID_CHUNK_SIZE');
    client.socket.write('no chunk\r\n');
    await broken;
    early.end('ended');
    await client.closed;
    assert.match(client.said, /begun, \r\n5\r\nended\r\n0\r\n\r\n$/);
  });

  test('that follows a valid request does not hide from the server that the client hangs up', async () => {
    const accepted = once(http.node, 'connection') as Promise<[Socket]>;
    const client = server.open(get('slow') + NO_HTTP);
    const [socket] = await accepted;
    await server.begins('slow');
    client.socket.write('x'.repeat(1_000_000));
    await waitUntil('all is received', async () => socket.bytesRead > 1_000_000);
    assert.equal(client.said, '');
    client.socket.destroy();
    await waitUntil('it is noticed', async () => socket.destroyed);
  });

  test('that arrives too slowly is answered 408', async () => {
    setTimeouts(100);
    assert.deepEqual(readAnswers(await server.say(post('small', 10) + 'half')), [TOO_SLOW]);
  });

  test('that arrives too slowly does not cut off a client that is still reading an answer', async () => {
    const late = fails('ERR_HTTP_REQUEST_TIMEOUT');
    setTimeouts(100);
    const accepted = once(http.node, 'connection') as Promise<[Socket]>;
    const client = server.connect({ allowHalfOpen: true }).resume();
    client.write(`${post('small', 16_000_000)}{`);
    const [socket] = await accepted;
    await late;
    assert.equal(socket.destroyed, false);
    client.destroy();
  });
});
