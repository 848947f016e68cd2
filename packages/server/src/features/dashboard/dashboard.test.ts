import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, brotliCompressSync } from 'node:zlib';
import pino from 'pino';
import { readConfig } from '../../platform/config.ts';
import { closeHttpServer } from '../../platform/http/close-server.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { mountDashboard } from './routes.ts';

const SCRIPT = 'console.log("overworld");';
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Starts a server with the pages of the dashboard and one API operation. */
async function startPages(folder: string) {
  const server = createHttpServer(readConfig({}), pino({ level: 'silent' }));
  server.mount({
    method: 'GET',
    path: '/healthz',
    handle: (exchange) => exchange.send(200, '{"status":"ok"}'),
  });
  mountDashboard(server, { public_url: 'http://127.0.0.1', folder });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    /** Sends the path unchanged; most clients would normalise it. */
    async ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
      const { hostname: host, port } = new URL(url);
      const sent = request({ host, port, path, headers, method }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const bytes = await buffer(answer);
      return { status: answer.statusCode!, headers: answer.headers, bytes, body: `${bytes}` };
    },
    close: () => closeHttpServer(server, 100),
  };
}

describe('a built dashboard', () => {
  let folder: string;
  let pages: Awaited<ReturnType<typeof startPages>>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overworld-pages-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<title>Overworld</title>');
    await writeFile(join(folder, '.sources'), 'secret');
    await writeFile(join(folder, 'assets/main-1a2b.js'), SCRIPT);
    await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    pages = await startPages(folder);
  });
  after(async () => {
    await pages.close();
    await rm(folder, { recursive: true });
  });

  test('/ answers with the page, under a policy that allows no inline script', async () => {
    const answer = await pages.ask('/');
    assert.equal(answer.status, 200);
    assert.match(answer.body, /Overworld/);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
  });

  test('a path of the app answers with the page when a browser opens it', async () => {
    for (const url of ['/login', '/games/1/production/players?tag=v1', '/v1x', '/documents']) {
      const answer = await pages.ask(url, browser);
      assert.equal(answer.status, 200, url);
      assert.match(answer.body, /Overworld/);
    }
  });

  test('a known page answers every client that accepts pages, and others get 404', async () => {
    for (const url of ['/login', '/reset-password', '/games/1/production/players/a.b?tab=saves']) {
      for (const accept of ['*/*', 'text/*', '']) {
        const answer = await pages.ask(url, { accept });
        assert.equal(answer.status, 200, url);
        assert.match(String(answer.headers['content-type']), /^text\/html/, url);
      }
      assert.equal((await pages.ask(url, { accept: 'application/json' })).status, 404, url);
    }
    assert.equal((await pages.ask('/loginx', { accept: '*/*' })).status, 404);
  });

  test('known and unknown paths of the API answer in JSON, also in a browser', async () => {
    assert.equal((await pages.ask('/healthz', browser)).body, '{"status":"ok"}');
    for (const url of [
      '/v1',
      '/v1/nothing',
      '/docs/nothing',
      '/sdk',
      '/sdk/nothing',
      '/metrics/x',
      '/v1?x',
    ]) {
      const answer = await pages.ask(url, browser);
      assert.equal(answer.status, 404, url);
      assert.deepEqual(JSON.parse(answer.body), { error: 'Route not found' });
    }
  });

  test('a missing file answers 404, unless a browser opens its path as a page', async () => {
    for (const url of ['/assets/old.js', '/nothing', '/.sources', '/assets/../.sources']) {
      const answer = await pages.ask(url, { accept: '*/*' });
      assert.equal(answer.status, 404, url);
    }
    assert.equal((await pages.ask('/login', {}, 'POST')).status, 404);
  });

  test('no path leads out of the folder', async () => {
    await writeFile(`${folder}-secret`, 'a secret beside it');
    const name = `${basename(folder)}-secret`;
    for (const path of [
      `/../${name}`,
      `/assets/../../${name}`,
      `/%2e%2e/${name}`,
      `/..%2f${name}`,
      `/assets/..%2f..%2f${name}`,
      `/assets/%2e%2e%5c..%5c${name}`,
      `/..\\${name}`,
      `/....//${name}`,
      `/%252e%252e%252f${name}`,
      `/.%00./${name}`,
      `//${folder}-secret`,
      `/${folder}-secret`,
      '/../../../../../../../../etc/passwd',
    ]) {
      const answer = await pages.ask(path);
      assert.ok(answer.status === 404 || answer.status === 400 || answer.status === 403, path);
      assert.doesNotMatch(answer.body, /a secret beside it|root:/, path);
    }
    await rm(`${folder}-secret`);
  });

  test('a file that cannot be opened answers with an error, without the headers of the file', async () => {
    // A socket has a path in the folder, but cannot be opened as a file.
    const socket = createServer().listen(join(folder, 'assets/main.sock'));
    await once(socket, 'listening');
    const answer = await pages.ask('/assets/main.sock', { 'accept-encoding': 'br' });
    socket.close();
    assert.equal(answer.status, 500);
    assert.equal(JSON.parse(answer.body).error, 'Something went wrong on our side');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual(
      [answer.headers.etag, answer.headers['last-modified']],
      [undefined, undefined],
    );
  });

  test('hashed files are cached for ever, and sent compressed to clients that accept it', async () => {
    const plain = await pages.ask('/assets/main-1a2b.js');
    assert.equal(plain.body, SCRIPT);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const small = await pages.ask('/assets/main-1a2b.js', { 'accept-encoding': 'gzip, br' });
    assert.equal(small.headers['content-encoding'], 'br');
    assert.match(String(small.headers['content-type']), /javascript/);
    assert.equal(brotliDecompressSync(small.bytes).toString(), SCRIPT);
  });

  test('a new build is served without a restart', async () => {
    await writeFile(join(folder, 'assets/main-3c4d.js'), 'console.log("newer");');
    const answer = await pages.ask('/assets/main-3c4d.js');
    assert.equal(answer.body, 'console.log("newer");');
  });
});

test('without a built dashboard a page says that it is not built, and the API works', async () => {
  const pages = await startPages('/nowhere');
  const page = await pages.ask('/', browser);
  assert.equal(page.status, 503);
  assert.match(page.body, /^The dashboard is not built\. Run /);
  assert.equal((await pages.ask('/healthz')).status, 200);
  assert.equal((await pages.ask('/v1/x', browser)).status, 404);
  await pages.close();
});
