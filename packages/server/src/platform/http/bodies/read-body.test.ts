import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { readAnswers, startSlowServer } from '../test/slow-server.ts';

const MIB = 1024 * 1024;
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n';
const sized = (length: number) => `content-length: ${length}\r\n\r\n`;
const chunk = (length: number) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;

describe('bodies that are being received', async () => {
  const server = await startSlowServer({ TRUST_PROXY: 'true' });
  before(() => server.listen());
  after(() => server.close());

  /**
   * Sends a request on behalf of a client with this address, as a proxy
   * does. `text` is the rest of the request after its first lines.
   */
  const open = (address: string, text: string) => {
    const head = `POST /small HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n`;
    const socket = server.connect().setEncoding('latin1');
    const client = { socket, said: '' };
    socket.on('data', (said: string) => (client.said += said));
    socket.write(head + text, 'latin1');
    return client;
  };
  const isAnswered = async (client: { said: string }, status: number) => {
    await waitUntil(
      `it is answered ${status}`,
      async () => client.said.endsWith('read') || client.said.endsWith('}'),
    );
    assert.ok(readAnswers(client.said)[0]!.startsWith(String(status)), client.said);
  };
  const takeAll = async (address: string) => {
    const clients = Array.from({ length: 8 }, () => open(address, `${sized(MIB)}{`));
    await waitUntil('all have begun', async () => server.begun.length === 8);
    return clients;
  };

  test('large bodies from one address take at most its share; small bodies and other addresses are accepted', async () => {
    const clients = await takeAll('192.0.2.2');
    const refused = open('192.0.2.2', sized(MIB));
    await isAnswered(refused, 503);
    assert.match(refused.said, /^retry-after: 1\r$/im);
    await isAnswered(open('192.0.2.3', sized(MIB) + 'x'.repeat(MIB)), 200);
    const small = open('192.0.2.2', sized(16_384) + 'x');
    await waitUntil('it has begun', async () => server.begun.length === 1);
    small.socket.write('x'.repeat(16_383));
    await isAnswered(small, 200);
    // A body that has begun is still read to its end.
    clients[0]!.socket.write('x'.repeat(MIB - 1));
    await isAnswered(clients[0]!, 200);
    await waitUntil('there is room again', async () => {
      const client = open('192.0.2.2', sized(MIB) + 'x'.repeat(MIB));
      await waitUntil('it is answered', async () => /read$|\}$/.test(client.said));
      return client.said.endsWith('read');
    });
    for (const { socket } of clients) socket.destroy();
  });

  test('large bodies count for some time after they were read, but only for their address', async () => {
    const large = sized(MIB) + 'x'.repeat(MIB);
    const usual = sized(60_000) + 'x'.repeat(60_000);
    let refused = 0;
    // Each body counts for half a second after it was read, and at most sixteen may count at a time. These
    // rounds send eight at a time, so some are refused when more than sixteen come within half a second.
    for (let rounds = 0; refused === 0; rounds++) {
      assert.ok(rounds < 100, 'none was refused');
      const clients = Array.from({ length: 8 }, () => open('192.0.2.9', large));
      for (const client of clients) {
        await waitUntil('it is answered', async () => /read$|\}$/.test(client.said));
        if (client.said.startsWith('HTTP/1.1 503')) refused++;
      }
    }
    await isAnswered(open('192.0.2.9', usual), 200);
    await isAnswered(open('192.0.2.10', large), 200);
  });

  test('bodies of unknown length count by the bytes received so far', async () => {
    const clients = await takeAll('192.0.2.4');
    const chunked = open('192.0.2.4', CHUNKED + chunk(100));
    await isAnswered(chunked, 503);
    clients[0]!.socket.destroy();
    await waitUntil('there is room again', async () => {
      const client = open('192.0.2.4', CHUNKED + chunk(500_000) + chunk(500_000));
      client.socket.write('0\r\n\r\n');
      await waitUntil('it is answered', async () => client.said !== '');
      return client.said.startsWith('HTTP/1.1 200');
    });
    for (const { socket } of clients) socket.destroy();
  });

  test('bodies free their share when their clients hang up', async () => {
    for (let round = 0; round < 3; round++) {
      for (const { socket } of await takeAll('192.0.2.5')) socket.destroy();
      await waitUntil('there is room again', async () => {
        const next = open('192.0.2.5', sized(MIB) + 'x'.repeat(MIB));
        await waitUntil('it is answered', async () => next.said !== '');
        return next.said.startsWith('HTTP/1.1 200');
      });
    }
  });

  for (const [what, text] of [
    ['says so', sized(MIB + 1)],
    ['comes with its headers', CHUNKED + chunk(MIB + 1) + '0\r\n\r\n'],
  ] as const) {
    test(`a body that is too large is answered 413 when it ${what}`, async () => {
      await isAnswered(open('192.0.2.6', text), 413);
    });
  }
});
