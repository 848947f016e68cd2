import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { mock, test } from 'node:test';
import { forSteadyReader } from './unread-answers.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Serves endless content to one client, and counts the chunks that are taken from it. */
async function serveEndless() {
  const served = { chunks: 0, destroyed: false };
  const server = createServer((_request, answer) => {
    const content = Readable.from(
      (async function* () {
        for (;;) {
          served.chunks++;
          yield Buffer.alloc(CHUNK_BYTES, 'x');
        }
      })(),
      { objectMode: false, highWaterMark: 0 },
    );
    content.once('close', () => (served.destroyed = true));
    pipeline(forSteadyReader(answer, content, 30_000), answer, () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { served, client, close: () => (client.destroy(), server.close()) };
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until no more chunks are taken, because all buffers on the way to the client are full. */
async function waitUntilStill(served: { chunks: number }): Promise<void> {
  for (let before = -1, quiet = 0; quiet < 2_000; quiet++, await immediate()) {
    if (served.chunks !== before) quiet = 0;
    before = served.chunks;
  }
}

/** Reads this many bytes from the client's buffer. */
async function take(client: Socket, bytes: number): Promise<void> {
  for (let taken = 0; taken < bytes; await immediate()) {
    taken += (client.read() as Buffer | null)?.length ?? 0;
  }
}

test('a client may take a file slowly, but is cut off when it takes nothing for 30 s', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { served, client, close } = await serveEndless();
  try {
    await waitUntilStill(served);
    for (let round = 0; round < 6; round++) {
      const before = served.chunks;
      mock.timers.tick(29_000);
      while (served.chunks === before) await take(client, CHUNK_BYTES);
      await waitUntilStill(served);
    }
    assert.equal(served.destroyed, false);
    mock.timers.tick(30_000);
    await immediate();
    assert.equal(served.destroyed, true);
    const closed = once(client, 'close');
    client.resume();
    await closed;
  } finally {
    mock.timers.reset();
    close();
  }
});

test('a text is sent completely, and then the answer ends', async () => {
  const text = 'ä'.repeat(3_000_000);
  const server = createServer((_request, answer) => {
    pipeline(forSteadyReader(answer, text, 30_000), answer, () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), text);
  server.closeAllConnections();
  server.close();
});
