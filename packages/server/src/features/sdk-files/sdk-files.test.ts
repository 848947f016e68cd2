import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { SDK_FILES } from '@overworld/contract/sdk-files';
import pino from 'pino';
import { readConfig } from '../../platform/config.ts';
import { closeHttpServer } from '../../platform/http/close-server.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { mountSdkFiles } from './routes.ts';

suite('the files of the SDKs', () => {
  let folder: string;
  let server: ReturnType<typeof createHttpServer>;
  let url: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overworld-sdks-'));
    for (const name of Object.keys(SDK_FILES)) {
      if (name !== 'unity.tgz') await writeFile(join(folder, name), `content of ${name}`);
    }
    await writeFile(join(folder, '.sources'), 'a secret');
    server = createHttpServer(readConfig({}), pino({ level: 'silent' }));
    mountSdkFiles(server, folder);
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await closeHttpServer(server, 100);
    await rm(folder, { recursive: true });
  });

  /** Sends the path unchanged; most clients would normalise it. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const { hostname: host, port } = new URL(url);
    const sent = request({ host, port, path, headers, method }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode!, headers: answer.headers, bytes: await buffer(answer) };
  }

  for (const [name, type] of Object.entries(SDK_FILES)) {
    if (name === 'unity.tgz') continue;
    test(`everybody can load ${name}, and validate a copy of it`, async () => {
      const { status, headers, bytes } = await ask(`/sdk/${name}`, { origin: 'https://a.example' });
      assert.deepEqual([status, `${bytes}`], [200, `content of ${name}`]);
      assert.equal(headers['content-type'], type);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['content-encoding'], undefined);
      const head = await ask(`/sdk/${name}`, {}, 'HEAD');
      assert.deepEqual([head.status, head.bytes.length], [200, 0]);
      assert.equal(head.headers['content-length'], `${bytes.length}`);
      assert.equal(head.headers.etag, headers.etag);
      const again = await ask(`/sdk/${name}?x=1`, { 'if-none-match': headers.etag! });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    });
  }

  test('the module is sent compressed to clients that accept it', async () => {
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await ask('/sdk/overworld.js', { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], encoding);
      assert.match(headers.vary!, /Accept-Encoding/);
      assert.equal(`${unpack(bytes)}`, 'content of overworld.js');
    }
    const archive = await ask('/sdk/godot.zip', { 'accept-encoding': 'gzip' });
    assert.equal(archive.headers['content-encoding'], undefined);
  });

  test('a file that is not built answers 503 and says how to build it', async () => {
    const { status, bytes } = await ask('/sdk/unity.tgz');
    assert.equal(status, 503);
    assert.match(JSON.parse(`${bytes}`).error, /npm run build:sdks/);
  });

  test('all other paths and methods answer 404 in JSON', async () => {
    const paths = ['/sdk', '/sdk/', '/sdk/.sources', '/sdk/../.sources', '/sdk/%2e%2e/.sources'];
    const odd = ['/sdk/..%2f..%2fpackage.json', '/sdk/godot.zip/', '/sdk/GODOT.ZIP', '/sdk/x.js'];
    for (const path of [...paths, ...odd]) {
      const { status, bytes } = await ask(path);
      assert.equal(status, 404, path);
      assert.equal(JSON.parse(`${bytes}`).error, 'Route not found', path);
      assert.doesNotMatch(`${bytes}`, /a secret/, path);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      assert.equal((await ask('/sdk/godot.zip', {}, method)).status, 404, method);
    }
  });
});
