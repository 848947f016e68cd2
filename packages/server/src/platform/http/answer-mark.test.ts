import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readable } from 'node:stream';
import { ApiError } from '../errors.ts';
import { RELEASE } from '../release.ts';
import { get, startSlowServer } from './test/slow-server.ts';

const CLOSE = 'connection: close\r\n';
const MARK = new RegExp(`^overworld-server: ${RELEASE}\\r$`, 'gim');

test('every answer has the mark of the server once, also refusals before a route is found', async () => {
  const server = await startSlowServer();
  server.mount('GET', '/stream', (exchange) => exchange.sendStream(200, Readable.from(['x'])));
  server.mount('GET', '/failing', (exchange) => {
    const content = new Readable({ read: () => void content.destroy(new Error('fails')) });
    exchange.sendStream(200, content);
  });
  server.mount('GET', '/empty', (exchange) => exchange.send(204));
  server.mount('GET', '/same', (exchange) => exchange.send(304));
  server.mount('GET', '/broken', () => {
    throw new Error('unexpected');
  });
  server.mount('GET', '/refused', () => undefined, new ApiError(403, 'no'));
  await server.listen();
  const cases: [status: number, request: string][] = [
    [200, get('fast', CLOSE)],
    [200, get('stream', CLOSE)],
    [200, 'HEAD /fast HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    [200, 'GET /fast HTTP/1.0\r\n\r\n'],
    [204, get('empty', CLOSE)],
    [304, get('same', CLOSE)],
    [400, get('%zz', CLOSE)],
    [400, 'GET /fast HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [400, 'no HTTP\r\n\r\n'],
    [400, 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    [403, get('refused', CLOSE)],
    [404, get('one/two', CLOSE)],
    [404, 'OPTIONS /fast HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
    [431, `GET /${'y'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
    [500, get('broken', CLOSE)],
    [500, get('failing', CLOSE)],
  ];
  for (const [status, request] of cases) {
    const text = await server.say(request);
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), request.slice(0, 60));
    assert.equal(text.match(MARK)?.length, 1, `${status} to ${request.slice(0, 60)}: ${text}`);
  }
  await server.close();
});
