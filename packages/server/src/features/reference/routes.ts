import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GROUPS } from '@overworld/contract/groups';
import { acceptsEncoding } from '../../platform/http/accepts-encoding.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import { setPageHeaders } from '../../platform/http/page-headers.ts';
import { sendCached } from '../../platform/http/send-cached.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { loadLibrary } from './library.ts';
import { toSlug } from './light/operation.ts';
import { createPages } from './light/pages.ts';

interface Asset {
  path: string;
  type: string;
  file: string;
}

const page = (name: string) => new URL(`pages/${name}`, import.meta.url).href;
const font = (name: string) => import.meta.resolve(`@fontsource-variable/${name}`);

const HTML = 'text/html; charset=utf-8';

const ASSETS: Asset[] = [
  { path: '/docs/fonts.css', type: 'text/css; charset=utf-8', file: page('fonts.css') },
  { path: '/docs/reference.css', type: 'text/css; charset=utf-8', file: page('reference.css') },
  { path: '/docs/explorer', type: HTML, file: page('explorer.html') },
  { path: '/docs/start.js', type: 'text/javascript; charset=utf-8', file: page('start.js') },
  { path: '/docs/theme.css', type: 'text/css; charset=utf-8', file: page('theme.css') },
  {
    path: '/docs/figtree.woff2',
    type: 'font/woff2',
    file: font('figtree/files/figtree-latin-wght-normal.woff2'),
  },
  {
    path: '/docs/jetbrains-mono.woff2',
    type: 'font/woff2',
    file: font('jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  },
];

/**
 * Serves the API reference: light pages without scripts, and the explorer, which tries calls. None of them
 * loads anything from other servers.
 */
export async function mountReference(server: HttpServer, public_url: string): Promise<void> {
  const mountPage = (path: string, handle: (exchange: Exchange) => void | Promise<void>) =>
    server.mount({
      method: 'GET',
      path,
      handle(exchange) {
        setPageHeaders(exchange, public_url);
        return handle(exchange);
      },
    });

  for (const { path, type, file } of ASSETS) {
    const bytes = await readFile(new URL(file));
    mountPage(path, (exchange) => sendCached(exchange, type, bytes));
  }
  mountPage('/docs/', (exchange) => {
    exchange.setHeader('location', '/docs');
    exchange.send(308);
  });
  mountPage('/docs/library.js', async (exchange) =>
    sendPacked(exchange, 'text/javascript; charset=utf-8', await loadLibrary()),
  );
  const pages = createPages(public_url);
  const mountText = (path: string, write: () => string) => {
    let packed: Promise<Buffer> | undefined;
    mountPage(path, async (exchange) => {
      packed ??= promisify(gzip)(write());
      return sendPacked(exchange, HTML, await packed);
    });
  };
  mountText('/docs', pages.writeIndex);
  for (const group of Object.values(GROUPS).flatMap((groups) => Object.keys(groups))) {
    const slug = toSlug(group);
    mountText(`/docs/${slug}`, () => pages.writeGroup(slug));
  }
}

/** Sends a file that is kept compressed by gzip. */
async function sendPacked(exchange: Exchange, type: string, packed: Buffer): Promise<void> {
  const acceptsGzip = acceptsEncoding(exchange.request, 'gzip');
  if (acceptsGzip) exchange.setHeader('content-encoding', 'gzip');
  exchange.setHeader('vary', 'Accept-Encoding');
  sendCached(exchange, type, acceptsGzip ? packed : await promisify(gunzip)(packed));
}
