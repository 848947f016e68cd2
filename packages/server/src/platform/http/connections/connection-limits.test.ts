import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { get, readAnswers, startSlowServer } from '../test/slow-server.ts';

const CLOSE = 'connection: close\r\n';

async function start(env: Record<string, string>) {
  const server = await startSlowServer(env);
  await server.listen();
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close() });
}

type SlowServer = Awaited<ReturnType<typeof start>>;

/** Opens a connection, uses it once, and keeps it open. */
async function stay(server: SlowServer) {
  const client = server.open(get('fast'));
  await waitUntil('it is answered', async () => client.said.endsWith('fast'));
  return client;
}

test('an address at its limit of connections gets a 503 until it closes a connection', async () => {
  await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
  const [first] = [await stay(server), await stay(server), await stay(server)];
  for (const text of [get('fast'), '']) {
    const said = await server.say(text);
    assert.deepEqual(readAnswers(said), [
      '503 {"error":"This address has too many connections open, close some"}',
    ]);
    assert.match(said, /^retry-after: 1\r$/im);
    assert.match(said, /^overworld-server: /im);
  }
  first.socket.destroy();
  await waitUntil('there is room again', async () => {
    return (await server.say(get('fast', CLOSE))).startsWith('HTTP/1.1 200');
  });
});

test('if an address goes on connecting, the server closes its connections without an answer', async () => {
  await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1' });
  const only = await stay(server);
  // The clients keep their sides open, as an attacker would.
  const flood: Socket[] = [];
  let told = 0;
  let silent = 0;
  // On a slow machine, the first refusals may be over before the last connection
  // opens. If they are, the flood is repeated.
  while (silent === 0) {
    const sockets = Array.from({ length: 150 }, () => server.connect({ allowHalfOpen: true }));
    const told_before = told;
    for (const socket of sockets) socket.once('data', () => (told += 1));
    await Promise.all(sockets.map((socket) => once(socket, 'end')));
    silent = sockets.length - (told - told_before);
    flood.push(...sockets);
  }
  assert.ok(told >= 100, `${told} were told why`);
  for (const socket of [only.socket, ...flood]) socket.destroy();
  await waitUntil('there is room again', async () => {
    return (await server.say(get('fast', CLOSE))).startsWith('HTTP/1.1 200');
  });
});

test('connections of a trusted proxy do not count towards the limit of an address', async () => {
  for (const TRUST_PROXY of ['true', 'loopback']) {
    await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY });
    for (let count = 0; count < 3; count++) await stay(server);
  }
  await using server = await start({ MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '10.0.0.1' });
  await stay(server);
  assert.match(await server.say(get('fast')), /^HTTP\/1.1 503 /);
});

test('all addresses together have no more connections than MAX_CONNECTIONS', async () => {
  await using server = await start({ MAX_CONNECTIONS: '2', TRUST_PROXY: 'true' });
  const [first] = [await stay(server), await stay(server)];
  assert.equal(await server.say(get('fast')), '');
  first.socket.destroy();
  await waitUntil('there is room again', async () => {
    return (await server.say(get('fast', CLOSE))).startsWith('HTTP/1.1 200');
  });
});

test('an address with 20 clients that were cut off gets no new connection', async () => {
  await using server = await start({});
  const body = Buffer.alloc(32_000_000, 'x');
  /** Keeps sending after a refusal, until the client is cut off. */
  const pour = async () => {
    const socket = server.connect().resume();
    const closed = Promise.withResolvers<void>();
    socket.once('close', closed.resolve);
    socket.write('POST /small HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n');
    socket.write(body);
    socket.write(body);
    await closed.promise;
  };
  for (let cut = 0; cut < 20; cut++) {
    assert.match(await server.say(get('fast', CLOSE)), /^HTTP\/1.1 200 /);
    await pour();
  }
  await waitUntil('a new connection is closed', async () => (await server.say(get('fast'))) === '');
});
