import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';

suite('the API reference', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers, redirect: 'manual' });

  test('the reference is a page whose scripts all come from this server', async () => {
    const page = await ask('/docs');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy')!;
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /connect-src 'self'/);
    const html = await page.text();
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    assert.ok(addresses.length >= 4);
    assert.ok(addresses.every((address) => address.startsWith('/') && !address.startsWith('//')));
    assert.doesNotMatch(html, /<script>|<style>| on\w+=/);
  });

  test('its files have the right content types, and an unchanged file is answered 304', async () => {
    for (const [path, type] of [
      ['/docs', /^text\/html/],
      ['/docs/start.js', /^text\/javascript/],
      ['/docs/theme.css', /^text\/css/],
      ['/docs/figtree.woff2', /^font\/woff2/],
      ['/docs/jetbrains-mono.woff2', /^font\/woff2/],
      ['/docs/library.js', /^text\/javascript/],
    ] as const) {
      const file = await ask(path);
      assert.equal(file.status, 200, path);
      assert.match(file.headers.get('content-type')!, type);
      assert.ok((await file.arrayBuffer()).byteLength > 500, path);
      const again = await ask(path, { 'if-none-match': file.headers.get('etag')! });
      assert.equal(again.status, 304, path);
    }
  });

  test('its library has the same content with and without compression', async () => {
    const [packed, plain] = await Promise.all([
      ask('/docs/library.js', { 'accept-encoding': 'gzip' }),
      ask('/docs/library.js', { 'accept-encoding': 'identity' }),
    ]);
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.equal(plain.headers.get('content-encoding'), null);
    const text = await plain.text();
    assert.equal(await packed.text(), text);
    assert.ok(text.includes('createApiReference'));
  });

  test('/docs/ redirects to /docs, and unknown names below /docs/ are answered 404', async () => {
    const slash = await ask('/docs/');
    assert.equal(slash.status, 308);
    assert.equal(slash.headers.get('location'), '/docs');
    const unknown = await ask('/docs/..%2f..%2fpackage.json', { accept: 'text/html' });
    assert.equal(unknown.status, 404);
    assert.deepEqual(await unknown.json(), { error: 'Route not found' });
  });
});
