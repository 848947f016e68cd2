import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, brotliCompressSync } from 'node:zlib';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { mountDashboard } from './routes.ts';

const SCRIPT = 'console.log("overworld");';
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function startPages(folder: string): Promise<FastifyInstance> {
  const app = Fastify();
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Route not found' }));
  app.get('/healthz', async () => ({ status: 'ok' }));
  await mountDashboard(app, { public_url: 'http://127.0.0.1', folder });
  await app.ready();
  return app;
}

describe('a built dashboard', () => {
  let folder: string;
  let app: FastifyInstance;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overworld-pages-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<title>Overworld</title>');
    await writeFile(join(folder, '.sources'), 'secret');
    await writeFile(join(folder, 'assets/main-1a2b.js'), SCRIPT);
    await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    app = await startPages(folder);
  });
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  test('/ is the page, under a policy that admits no inline script', async () => {
    const answer = await app.inject({ url: '/' });
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /Overworld/);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
  });

  test('a path of the app that a browser opens is the page', async () => {
    for (const url of ['/login', '/games/1/production/players?tag=v1', '/v1x', '/documents']) {
      const answer = await app.inject({ url, headers: browser });
      assert.equal(answer.statusCode, 200, url);
      assert.match(answer.body, /Overworld/);
    }
  });

  test('paths of the API stay JSON, known or not, also in a browser', async () => {
    assert.deepEqual((await app.inject({ url: '/healthz', headers: browser })).json(), {
      status: 'ok',
    });
    for (const url of ['/v1', '/v1/nothing', '/docs/nothing', '/metrics/x', '/v1?x']) {
      const answer = await app.inject({ url, headers: browser });
      assert.equal(answer.statusCode, 404, url);
      assert.deepEqual(answer.json(), { error: 'Route not found' });
    }
  });

  test('a missing file that a browser does not open as a page is 404', async () => {
    for (const url of ['/assets/old.js', '/nothing', '/.sources', '/assets/../.sources']) {
      const answer = await app.inject({ url, headers: { accept: '*/*' } });
      assert.equal(answer.statusCode, 404, url);
    }
    assert.equal((await app.inject({ method: 'POST', url: '/login' })).statusCode, 404);
  });

  test('no path leads out of the folder', async () => {
    await writeFile(`${folder}-secret`, 'a secret beside it');
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = new URL(address);
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
      // Sent as it is; correct clients would normalise it.
      const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path }, async (response) =>
          resolve({ status: response.statusCode!, text: await text(response) }),
        );
        sent.on('error', reject).end();
      });
      assert.ok(answer.status === 404 || answer.status === 400 || answer.status === 403, path);
      assert.doesNotMatch(answer.text, /a secret beside it|root:/, path);
    }
    await rm(`${folder}-secret`);
  });

  test('hashed files are cached for ever, and sent compressed to clients that accept it', async () => {
    const plain = await app.inject({ url: '/assets/main-1a2b.js' });
    assert.equal(plain.body, SCRIPT);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    const small = await app.inject({
      url: '/assets/main-1a2b.js',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    assert.equal(small.headers['content-encoding'], 'br');
    assert.match(String(small.headers['content-type']), /javascript/);
    assert.equal(brotliDecompressSync(small.rawPayload).toString(), SCRIPT);
  });

  test('a new build is served without a restart', async () => {
    await writeFile(join(folder, 'assets/main-3c4d.js'), 'console.log("newer");');
    const answer = await app.inject({ url: '/assets/main-3c4d.js' });
    assert.equal(answer.body, 'console.log("newer");');
  });
});

test('without a built dashboard a page says so, and the API works', async () => {
  const app = await startPages('/nowhere');
  const page = await app.inject({ url: '/', headers: browser });
  assert.equal(page.statusCode, 503);
  assert.match(page.body, /^The dashboard is not built\. Run /);
  assert.equal((await app.inject({ url: '/healthz' })).statusCode, 200);
  assert.equal((await app.inject({ url: '/v1/x', headers: browser })).statusCode, 404);
  await app.close();
});
