import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';

let server: TestServer;
let key: string;
before(async () => {
  server = await startTestServer();
  ({ production_key: key } = await server.makeGame());
});
after(() => server.close());

const BODY = '{"player_id":"ada","properties":{"level":3}}';
const COMPRESSED =
  'The request body must not be compressed: send it as plain JSON, without Content-Encoding';

const send = (body: string | Uint8Array, headers: Record<string, string>) =>
  server.request('POST', '/v1/identify', { key, body, headers });

test('a compressed body is answered 415, whatever its coding, and the answer names the coding to use', async () => {
  const gzip = gzipSync(BODY);
  for (const [coding, body] of [
    ['gzip', gzip],
    ['GZIP', gzip],
    ['x-gzip', gzip],
    ['deflate', deflateSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['zstd', zstdCompressSync(BODY)],
    ['compress', BODY],
    ['aes128gcm', BODY],
    ['gzip, identity', gzip],
  ] as const) {
    const { status, body: said, headers } = await send(body, { 'content-encoding': coding });
    assert.deepEqual([status, said], [415, { error: COMPRESSED }], coding);
    assert.equal(headers.get('accept-encoding'), 'identity');
  }
  const unnamed = await send(gzip, {});
  assert.deepEqual([unnamed.status, unnamed.body], [415, { error: COMPRESSED }]);
  const large = await send(gzipSync(`{"a":"${'x'.repeat(2 ** 21)}"}`), {
    'content-encoding': 'gzip',
  });
  assert.equal(large.status, 415);
});

test('a plain body may say that it is not compressed', async () => {
  for (const coding of ['identity', 'Identity', '']) {
    assert.equal((await send(BODY, { 'content-encoding': coding })).status, 200, coding);
  }
});

test('a body in another encoding is answered 400, and the error names the mistake', async () => {
  for (const [body, type, error] of [
    [
      `\uFEFF${BODY}`,
      'application/json',
      'The request body begins with a byte order mark (BOM): send it without',
    ],
    [
      Buffer.from(`\uFEFF${BODY}`, 'utf16le'),
      'application/json',
      'The request body is not valid UTF-8',
    ],
    [BODY, 'application/json; charset=iso-8859-1', 'The charset of Content-Type must be utf-8'],
    [BODY, 'text/plain; charset=utf-8', 'Content-Type must be application/json'],
  ] as const) {
    const answer = await send(body, { 'content-type': type });
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  for (const charset of ['utf-8', 'UTF8', '"utf-8"']) {
    const type = `application/json; charset=${charset}`;
    assert.equal((await send(BODY, { 'content-type': type })).status, 200, charset);
  }
});
