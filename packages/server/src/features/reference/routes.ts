import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { acceptsEncoding } from '../../platform/http/accepts-encoding.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import { setPageHeaders } from '../../platform/http/page-headers.ts';
import { sendCached } from '../../platform/http/send-cached.ts';
import type { HttpServer } from '../../platform/http/server.ts';
import { loadLibrary } from './library.ts';

interface Asset {
  path: string;
  type: string;
  file: string;
}

const page = (name: string) => new URL(`pages/${name}`, import.meta.url).href;
const font = (name: string) => import.meta.resolve(`@fontsource-variable/${name}`);

const ASSETS: Asset[] = [
  { path: '/docs', type: 'text/html; charset=utf-8', file: page('index.html') },
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

/** Serves the API reference as a page that loads nothing from other servers. */
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
  mountPage('/docs/library.js', async (exchange) => {
    const packed = await loadLibrary();
    const acceptsGzip = acceptsEncoding(exchange.request, 'gzip');
    if (acceptsGzip) exchange.setHeader('content-encoding', 'gzip');
    exchange.setHeader('vary', 'Accept-Encoding');
    const bytes = acceptsGzip ? packed : await promisify(gunzip)(packed);
    sendCached(exchange, 'text/javascript; charset=utf-8', bytes);
  });
}
