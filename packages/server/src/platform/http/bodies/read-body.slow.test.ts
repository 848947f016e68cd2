import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../../test/wait-until.ts';
import { startSlowServer } from '../test/slow-server.ts';

test('a body takes little memory when it comes in chunks of one byte', async (context) => {
  const server = await startSlowServer();
  context.after(() => server.close());
  await server.listen();
  const rss = process.memoryUsage().rss;
  const socket = server.connect().setEncoding('latin1');
  context.after(() => socket.destroy());
  let said = '';
  socket.on('data', (text: string) => (said += text));
  socket.write('POST /small HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const piece = Buffer.from('1\r\nx\r\n'.repeat(20_000));
  for (let sent = 0; sent < 40; sent++) {
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  const more_mb = (process.memoryUsage().rss - rss) / 1024 / 1024;
  socket.write('0\r\n\r\n');
  await waitUntil('it is answered', async () => /read$|\}$/.test(said));
  // On a slow machine, the request takes longer than a client may take, and the answer is 408.
  assert.match(said, /^HTTP\/1\.1 (200|408) /);
  assert.ok(more_mb < 150, `${more_mb} MB more`);
});
