import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '../../../../test/wait-until.ts';
import { ApiError } from '../../errors.ts';
import { get, readAnswers, startSlowServer } from '../test/slow-server.ts';

/** More bytes than the buffers of two sockets hold. */
const BIG = Buffer.alloc(16_000_000, 'x');

const post = (length: number) =>
  `POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`;

describe('a connection', async () => {
  const server = await startSlowServer({}, 60_000);
  const { http, begun } = server;
  /** The statuses of answers that were sent completely. */
  const statuses: number[] = [];
  let downloads = 0;
  /**
   * Counts the addresses in use. Each client gets a new address, because the clients at one address may send
   * only 32 MB after refused requests in ten seconds.
   */
  let addresses = 1;
  const nextAddress = () => `127.0.0.${(addresses += 1)}`;
  before(async () => {
    http.observe(({ answer }, is_sent) => {
      if (is_sent) statuses.push(answer.statusCode);
    });
    server.mount('POST', '/forbidden', () => undefined, new ApiError(401, 'no'));
    server.mount('GET', '/download', (exchange) => {
      exchange.answer.once('prefinish', () => (downloads += 1));
      exchange.send(200, BIG);
    });
    await server.listen();
  });
  after(() => server.close());

  for (const [path, status] of [
    ['/small', 413],
    ['/forbidden', 401],
  ] as const) {
    for (const framing of [`content-length: ${BIG.length}`, 'transfer-encoding: chunked']) {
      for (const end of ['keep-alive', 'close']) {
        test(`brings a ${status} to a client that reads after sending all (${framing}, ${end})`, async () => {
          statuses.length = 0;
          const socket = server
            .connect({ localAddress: nextAddress() })
            .pause()
            .setEncoding('latin1');
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

  const head = (path: string, framing: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n`;
  for (const [what, text] of [
    ['a body of known length', head('/small', 'content-length: 1000000000')],
    ['a body of a refused caller', head('/forbidden', 'content-length: 1000000000')],
    ['a body in chunks', `${head('/forbidden', 'transfer-encoding: chunked')}f000000\r\n`],
    ['a malformed request', 'no HTTP\r\n\r\n'],
  ] as const) {
    test(`is cut when clients at its address have sent 32 MB after refused requests (${what})`, async () => {
      const localAddress = nextAddress();
      const accepted = once(http.node, 'connection') as Promise<[Socket]>;
      const socket = server.connect({ localAddress, allowHalfOpen: true }).resume();
      socket.write(text);
      for (let sent = 0; sent < 4; sent++) socket.write(BIG);
      const closed = Promise.withResolvers<void>();
      socket.once('close', closed.resolve);
      await closed.promise;
      const [{ bytesRead }] = await accepted;
      assert.ok(bytesRead > 32_000_000 && bytesRead < 40_000_000, `${bytesRead} bytes`);
      const other = server.connect({ localAddress: nextAddress() });
      other.write(get('fast', 'connection: close\r\n'));
      await once(other.resume(), 'end');
    });
  }

  test('is cut when the rest of a refused body does not arrive', async () => {
    const usual = await startSlowServer();
    await usual.listen();
    const started_ms = performance.now();
    const socket = usual.connect({ allowHalfOpen: true }).resume();
    const accepted = (await once(usual.http.node, 'connection')) as [Socket];
    socket.write(`POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: ${BIG.length}\r\n\r\n{`);
    await once(accepted[0], 'close');
    const took_ms = performance.now() - started_ms;
    assert.ok(took_ms > 1_500, `${took_ms} ms`);
    socket.destroy();
    await usual.close();
  });

  test('stays open when a refused body has arrived completely', async () => {
    const client = server.open(post(2_000_000));
    await waitUntil('it is refused', async () => client.said.endsWith('}'));
    client.socket.write(get('fast'));
    await waitUntil('the next is answered', async () => client.said.endsWith('fast'));
    assert.deepEqual(begun, ['small', 'fast']);
    client.socket.destroy();
  });

  test('reads the bytes behind a malformed request, but does not treat them as requests', async () => {
    const socket = server.connect({ allowHalfOpen: true });
    const ended = once(socket.resume(), 'end');
    const accepted = (await once(http.node, 'connection')) as [Socket];
    socket.write('no HTTP\r\n\r\n');
    await ended;
    const pour = get('never').repeat(1_000);
    socket.write(pour);
    const length = 'no HTTP\r\n\r\n'.length + pour.length;
    await waitUntil('all is received', async () => accepted[0].bytesRead === length);
    assert.deepEqual(begun, []);
    assert.equal(accepted[0].destroyed, false);
    socket.destroy();
  });

  test('closes after the answer to the first of several requests that arrive together', async () => {
    for (const behind of [get('never'), get('never').repeat(2_000), post(30_000).repeat(20)]) {
      const client = server.open(get('slow') + behind);
      await server.answer('slow');
      await client.closed;
      assert.deepEqual(readAnswers(client.said), ['200 answer to slow']);
      assert.match(client.said, /^connection: close\r$/im);
      assert.deepEqual(begun, ['slow']);
    }
  });

  test('is not read further when a request arrives before the previous answer', async () => {
    const accepted = once(http.node, 'connection') as Promise<[Socket]>;
    const client = server.open(get('slow') + get('never').repeat(100_000));
    const [socket] = await accepted;
    await waitUntil('the first begins', async () => server.answers.has('slow'));
    const answer = server.answers.get('slow')!;
    // Each of these requests takes several turns of the event loop, in which the server could read more of
    // the first connection.
    for (let i = 0; i < 50; i++) await server.say(get('fast', 'connection: close\r\n'));
    assert.ok(socket.bytesRead < 1_000_000, `${socket.bytesRead} bytes`);
    answer('at last');
    await client.closed;
    assert.match(client.said, /at last/);
  });

  test('sends an answer completely before it closes because of a request that came too early', async () => {
    const socket = server.connect().pause().setEncoding('latin1');
    socket.write(get('download'));
    await server.begins('download');
    await waitUntil('the answer has begun', async () => downloads > 0);
    socket.write(get('never'));
    let said = '';
    socket.on('data', (chunk: string) => (said += chunk)).resume();
    await once(socket, 'close');
    assert.equal(readAnswers(said)[0]!.length, BIG.length + 4);
    assert.deepEqual(begun, ['download']);
  });

  test('serves one request after the other', async () => {
    const client = server.open('');
    for (const name of ['fast-1', 'fast-2', 'fast-3']) {
      client.socket.write(get(name));
      await waitUntil('it is answered', async () => client.said.endsWith(name));
    }
    client.socket.destroy();
  });

  test('handles no further request after an answer that closes the connection', async () => {
    const client = server.open(get('last', 'connection: close\r\n') + get('never'));
    await server.answer('last');
    await client.closed;
    assert.deepEqual(readAnswers(client.said), ['200 answer to last']);
    assert.deepEqual(begun, ['last']);
    const body = post(2_000_000).replace('host: x', 'host: x\r\nconnection: close');
    const [refusal, ...others] = readAnswers(await server.say(body + get('never')));
    assert.match(refusal!, /^413 /);
    assert.deepEqual(others, []);
    assert.deepEqual(begun, ['small']);
  });
});
