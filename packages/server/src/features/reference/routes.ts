import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { makeEtag, matchesEtag } from '../../platform/http/etag.ts';
import { usePageHeaders } from '../../platform/http/page-headers.ts';
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
export async function mountReference(app: FastifyInstance, public_url: string): Promise<void> {
  await app.register(async (pages) => {
    await usePageHeaders(pages, public_url);

    for (const { path, type, file } of ASSETS) {
      const bytes = await readFile(new URL(file));
      pages.get(path, async (request, reply) => sendCached(request, reply, type, bytes));
    }
    pages.get('/docs/', async (_request, reply) => reply.redirect('/docs', 308));

    pages.get('/docs/library.js', async (request, reply) => {
      const packed = await loadLibrary();
      const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      if (acceptsGzip) reply.header('Content-Encoding', 'gzip');
      reply.header('Vary', 'Accept-Encoding');
      const bytes = acceptsGzip ? packed : await promisify(gunzip)(packed);
      return sendCached(request, reply, 'text/javascript; charset=utf-8', bytes);
    });
  });
}

/** Browsers keep it and ask again at each use; the answer is 304 while the content is the same. */
function sendCached(request: FastifyRequest, reply: FastifyReply, type: string, bytes: Buffer) {
  const etag = makeEtag(bytes);
  reply.headers({ ETag: etag, 'Cache-Control': 'no-cache' });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}
