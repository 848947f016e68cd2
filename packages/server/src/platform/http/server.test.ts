import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import pino from 'pino';
import { waitUntil } from '../../../test/wait-until.ts';
import { readConfig } from '../config.ts';
import { closeHttpServer } from './close-server.ts';
import { createHttpServer } from './server.ts';
import { get, readAnswers, startSlowServer } from './test/slow-server.ts';

test('a stop answers requests under way, and does not wait for silent clients', async () => {
  const server = createHttpServer(readConfig({}), pino({ level: 'silent' }));
  const answer = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  server.mount({
    method: 'GET',
    path: '/slow',
    async handle(exchange) {
      asked.resolve();
      exchange.send(200, await answer.promise);
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.node.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1', () => half.write('POST /slow HTTP/1.1\r\nHost: x\r\n'));
  const ends = [silent, half].map((socket) =>
    once(
      socket.on('error', () => undefined),
      'close',
    ),
  );
  await Promise.all([once(silent, 'connect'), once(half, 'connect')]);
  const slow = fetch(`${url}/slow`);
  await asked.promise;

  const closed = closeHttpServer(server, 500);
  answer.resolve('answered');
  assert.equal(await (await slow).text(), 'answered');
  const deadline = AbortSignal.timeout(10_000);
  await Promise.race([closed, once(deadline, 'abort').then(() => assert.fail('still open'))]);
  await Promise.all(ends);
});

test('a call that watches many times whether its client hangs up listens once', async (t) => {
  const server = createHttpServer(readConfig({}), pino({ level: 'silent' }));
  t.after(() => closeHttpServer(server, 500));
  server.mount({
    method: 'GET',
    path: '/watched',
    handle(exchange) {
      const before = exchange.answer.listenerCount('close');
      for (let count = 0; count < 20; count++) exchange.watchHangUp();
      exchange.send(200, String(exchange.answer.listenerCount('close') - before));
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  assert.equal(await (await fetch(`${url}/watched`)).text(), '1');
});

/** Waits for the promises, which must resolve long before a stop cuts the remaining connections. */
async function inTime(...ends: Promise<unknown>[]) {
  const deadline = AbortSignal.timeout(20_000);
  const late = once(deadline, 'abort').then(() => assert.fail('still open'));
  await Promise.race([Promise.all(ends), late]);
}

test('a stop ends a connection as soon as its request is answered', async () => {
  const server = await startSlowServer();
  await server.listen();
  const client = server.open(get('slow'));
  await server.begins('slow');
  const closed = closeHttpServer(server.http, 60_000);
  await server.answer('slow');
  await inTime(closed, client.closed);
  assert.deepEqual(readAnswers(client.said), ['200 answer to slow']);
});

test('a stop sends answers completely, and closes idle connections immediately', async () => {
  const server = await startSlowServer();
  server.mount('GET', '/fast-download', (exchange) => exchange.send(200, 'x'.repeat(30_000_000)));
  await server.listen();
  const idle = server.open(get('fast'));
  await waitUntil('the connection is used', async () => idle.said.endsWith('fast'));
  const client = server.open(get('fast-download'));
  client.socket.pause();
  await server.begins('fast-download');
  const closed = closeHttpServer(server.http, 60_000);
  await inTime(idle.closed);
  client.socket.resume();
  await inTime(closed, client.closed);
  assert.equal(readAnswers(client.said)[0]!.length, 30_000_004);
});

test('PUBLIC_URL with a path stops the start, because the dashboard works at the root of a host alone', () => {
  const read = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).public_url;
  assert.equal(read('https://games.example/'), 'https://games.example');
  assert.equal(read('https://Games.example:443'), 'https://games.example');
  for (const ending of ['/overworld', '/overworld/', '/?a=b', '/#top', '//']) {
    assert.throws(() => read(`https://games.example${ending}`), /^Error: PUBLIC_URL must be/);
  }
  assert.throws(() => read('https://mira:secret@games.example'), /^Error: PUBLIC_URL must be/);
});

test('an address with a % that begins no character stops the start with a sentence', () => {
  for (const host of ['%zz', 'p%ss@db', '%E9']) {
    assert.throws(
      () => readConfig({ DATABASE_URL: `postgres://${host}/overworld` }),
      /^Error: DATABASE_URL has a % that begins no character: write it as %25\.$/,
    );
  }
});

test('`localhost` means 127.0.0.1', () => {
  const { host, public_url } = readConfig({ HOST: 'localhost' });
  assert.deepEqual([host, public_url], ['127.0.0.1', 'http://localhost:8080']);
});

test('an answer to a path that is not a valid URL has the same headers as every other answer', async () => {
  const server = createHttpServer(readConfig({}), pino({ level: 'silent' }));
  server.mount({ method: 'GET', path: '/x/:name', handle: (exchange) => exchange.send(200) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${url}/x/%zz`, { headers: { 'x-request-id': 'of-my-proxy' } });
  assert.deepEqual(
    [answer.status, await answer.json()],
    [400, { error: 'The path is not a valid URL' }],
  );
  assert.equal(answer.headers.get('x-request-id'), 'of-my-proxy');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  await closeHttpServer(server, 100);
});

test('a header with a line break cannot add another header: the connection is closed', async () => {
  const server = await startSlowServer();
  server.mount('GET', '/fast-broken', (exchange) => {
    exchange.setHeader('x-name', 'value\r\nx-other: 1');
    exchange.send(200, 'body');
  });
  await server.listen();
  assert.equal(await server.say(get('fast-broken')), '');
  await server.close();
});

test('when an answer fails halfway, the error is logged, and the answer can end with it', async () => {
  const lines: { request_id: string; msg: string }[] = [];
  const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
  const server = createHttpServer(readConfig({}), log);
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  server.mount({
    method: 'GET',
    path: '/broken',
    handle(exchange) {
      exchange.writeFailure = (status, body) => JSON.stringify({ status, ...body });
      async function* read() {
        yield Buffer.from('begun\n');
        await broken.promise;
      }
      exchange.sendStream(200, Readable.from(read(), { objectMode: false }));
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${url}/broken`);
  broken.reject(new Error('a secret cause'));
  const [first, last] = (await answer.text()).split('\n');
  const request_id = answer.headers.get('x-request-id')!;
  assert.equal(first, 'begun');
  const error = 'Something went wrong on our side';
  assert.deepEqual(JSON.parse(last!), { status: 500, error, request_id });
  assert.ok(lines.some((line) => line.request_id === request_id && line.msg === 'request failed'));
  await closeHttpServer(server, 500);
});
