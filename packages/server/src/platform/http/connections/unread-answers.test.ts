import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { get, startSlowServer } from '../test/slow-server.ts';

/**
 * The bytes of the answer. The buffers of the system cannot hold them all, and they are more than half of the
 * memory that unread answers of one address may take.
 */
const LENGTH = 30_000_000;

describe('an answer that is not read', async () => {
  const server = await startSlowServer({ TRUST_PROXY: 'true' });
  before(async () => {
    server.mount('GET', '/fast-download', (exchange) => exchange.send(200, 'x'.repeat(LENGTH)));
    await server.listen();
  });
  after(() => server.close());

  /** Requests the large answer without reading it. `accepted` in the result is the server's socket. */
  async function ask(address: string) {
    const accepted = once(server.http.node, 'connection') as Promise<[Socket]>;
    const client = server.open(get('fast-download', `x-forwarded-for: ${address}\r\n`));
    client.socket.pause();
    const [socket] = await accepted;
    await server.begins('fast-download');
    return { ...client, client, accepted: socket };
  }
  const isWhole = (client: { said: string }) => client.said.length > LENGTH;

  test('may wait on one connection of an address, but a second such connection is cut', async () => {
    const first = await ask('192.0.2.1');
    await waitUntil('it waits to be read', async () => first.accepted.writableLength > 0);
    const next = await ask('192.0.2.1');
    next.socket.resume();
    await next.closed;
    assert.equal(isWhole(next.client), false);
    const other = await ask('192.0.2.2');
    for (const { client, socket } of [first, other]) {
      socket.resume();
      await waitUntil('it is read', async () => isWhole(client));
    }
    const again = await ask('192.0.2.1');
    again.socket.resume();
    await waitUntil('there is room again', async () => isWhole(again.client));
    for (const { socket } of [first, other, again]) socket.destroy();
  });

  test('may wait for half a minute while the client takes nothing; then its connection is cut', async () => {
    const { client, socket, closed, accepted } = await ask('192.0.2.3');
    await waitUntil('it is timed', async () => accepted.timeout === 30_000);
    socket.resume();
    await waitUntil('it is read', async () => isWhole(client));
    await waitUntil('it is timed no more', async () => accepted.timeout !== 30_000);
    socket.pause();
    socket.write(get('fast-download', 'x-forwarded-for: 192.0.2.3\r\n'));
    await waitUntil('it is timed', async () => accepted.timeout === 30_000);
    accepted.setTimeout(50);
    await once(accepted, 'close');
    socket.resume();
    await closed;
  });
});
