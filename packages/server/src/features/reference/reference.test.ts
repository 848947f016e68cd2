import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { toBlocks } from './light/markdown.ts';

interface Operation {
  operationId: string;
  parameters: { name: string }[];
  responses: object;
  requestBody?: { content: { 'application/json': { schema: { properties?: object } } } };
}

suite('the API reference', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { headers, redirect: 'manual' });

  test('the explorer is a page whose scripts all come from this server', async () => {
    const page = await ask('/docs/explorer');
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
      ['/docs/achievements', /^text\/html/],
      ['/docs/explorer', /^text\/html/],
      ['/docs/fonts.css', /^text\/css/],
      ['/docs/reference.css', /^text\/css/],
      ['/docs/start.js', /^text\/javascript/],
      ['/docs/theme.css', /^text\/css/],
      ['/docs/figtree.woff2', /^font\/woff2/],
      ['/docs/jetbrains-mono.woff2', /^font\/woff2/],
      ['/docs/library.js', /^text\/javascript/],
    ] as const) {
      const file = await ask(path);
      assert.equal(file.status, 200, path);
      assert.match(file.headers.get('content-type')!, type);
      assert.ok((await file.arrayBuffer()).byteLength > 200, path);
      const again = await ask(path, { 'if-none-match': file.headers.get('etag')! });
      assert.equal(again.status, 304, path);
    }
  });

  test('the pages have no scripts, and together every operation with its members, statuses and examples', async () => {
    const { body: api } = await server.request('GET', '/v1/openapi.json');
    const index = await (await ask('/docs')).text();
    assert.doesNotMatch(index, /<script|<style| on\w+=| style=/);
    const pages = new Map<string, string>();
    const sections = (html: string) => html.split('<section ');
    for (const [path, methods] of Object.entries<Record<string, Operation>>(api.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const link = new RegExp(`href="(/docs/[a-z-]+)#${operation.operationId}"`).exec(index);
        assert.ok(link, `${operation.operationId} is in the list`);
        const page = pages.get(link[1]!) ?? (await (await ask(link[1]!)).text());
        pages.set(link[1]!, page);
        const section = sections(page).find((part) =>
          part.startsWith(`id="${operation.operationId}"`),
        )!;
        const has = (text: string) =>
          assert.ok(section.includes(text), `${operation.operationId} has ${text}`);
        has(`<b class="method">${method.toUpperCase()}</b> <code>${path}</code>`);
        for (const { name } of operation.parameters) has(`<code>${name}</code>`);
        for (const status of Object.keys(operation.responses)) has(`<b>${status}</b>`);
        const body = operation.requestBody?.content['application/json'].schema;
        for (const name of Object.keys(body?.properties ?? {})) has(`<code>${name}</code>`);
      }
    }
    assert.equal(pages.size, api.tags.length);
    for (const page of pages.values()) {
      assert.doesNotMatch(page, /<script|<style| on\w+=| style=|undefined|\[object/);
    }
    const webhooks = pages.get('/docs/webhooks')!;
    for (const type of Object.keys(api.webhooks)) assert.ok(webhooks.includes(`<code>${type}<`));
  });

  test('texts of the API stand escaped on its pages, with their code and their lists', () => {
    assert.equal(
      toBlocks('## A & B\n\nSay `<b>` **twice**.\n\n- one\n- two')
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\n\s*/g, ''),
      '<h2>A &amp; B</h2><p>Say <code>&lt;b&gt;</code> <b>twice</b>.</p><ul><li>one</li><li>two</li></ul>',
    );
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
