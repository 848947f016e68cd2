import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../config.ts';
import { closeHttpServer, createHttpServer } from './server.ts';

test('a stop answers what is under way, and waits for no client that says nothing', async () => {
  const app = await createHttpServer(readConfig({}), pino({ level: 'silent' }));
  const answer = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  app.get('/slow', () => {
    asked.resolve();
    return answer.promise;
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
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

  const closed = closeHttpServer(app, 500);
  answer.resolve('answered');
  assert.equal(await (await slow).text(), 'answered');
  const deadline = AbortSignal.timeout(10_000);
  await Promise.race([closed, once(deadline, 'abort').then(() => assert.fail('still open'))]);
  await Promise.all(ends);
});
