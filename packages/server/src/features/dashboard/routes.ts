import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DASHBOARD_PAGES } from '@overworld/contract/dashboard-pages';
import { isUtf8MimeType, mime, send } from '@fastify/send';
import { acceptsEncoding } from '../../platform/http/accepts-encoding.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import { setPageHeaders } from '../../platform/http/page-headers.ts';
import type { HttpServer } from '../../platform/http/server.ts';

/** The output folder of `npm run build -w packages/dashboard`. */
const BUILT_APP = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));

/** Paths of the API, where unknown paths are answered in JSON. */
const RESERVED = /^\/(v1|docs|sdk|healthz|readyz|metrics)(\/|\?|$)/;

/** `/` and the known pages of the app. */
const KNOWN_PAGE = new RegExp(`^/((${DASHBOARD_PAGES.join('|')})(/|\\?|$)|\\?|$)`);

/** Compressed forms that the build may have put beside a file, the smallest first. */
const COMPRESSED = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

const NOT_BUILT =
  'The dashboard is not built. Run `npm run build -w packages/dashboard`, then restart the server.\n';

/**
 * Serves the web app: its files, and its page for every other path that a browser opens. Browsers cache files
 * in `assets` for ever, as their names hold a hash of the content, and request other files again at each use.
 * @param folder The built app. If the folder is missing, a page says that the dashboard is not built.
 */
export function mountDashboard(
  server: HttpServer,
  { public_url, folder = BUILT_APP }: { public_url: string; folder?: string },
): void {
  const isBuilt = existsSync(join(folder, 'index.html'));
  server.mount({
    method: 'GET',
    path: '/*',
    async handle(exchange) {
      setPageHeaders(exchange, public_url);
      const { url = '' } = exchange.request;
      // Shared links to dashboards open this page. Search engines must not list the page.
      if (url.startsWith('/shared')) exchange.setHeader('x-robots-tag', 'noindex, nofollow');
      if (!isBuilt && isPage(exchange)) {
        exchange.setHeader('content-type', 'text/plain; charset=utf-8');
        return exchange.send(503, NOT_BUILT);
      }
      const isSent =
        isBuilt &&
        !RESERVED.test(url) &&
        (await sendFile(exchange, folder, isPage(exchange) ? 'index.html' : exchange.params['*']!));
      if (!isSent) await server.answerUnknown(exchange);
    },
  });
}

/**
 * Tells whether the client opens this path as a page: a browser does so with any path outside the API, and
 * every client that accepts pages does so with `/` and the known pages.
 */
function isPage({ request: { url = '', headers } }: Exchange): boolean {
  if (RESERVED.test(url)) return false;
  const { accept = '*/*' } = headers;
  return /\btext\/(html|\*)/.test(accept) || (KNOWN_PAGE.test(url) && /\*\/\*|^$/.test(accept));
}

/**
 * Answers with a file of the folder, compressed if the client accepts it compressed. A new build may replace
 * the files while the server runs, so each request looks them up.
 * @returns true if there is such a file.
 */
async function sendFile(exchange: Exchange, folder: string, path: string): Promise<boolean> {
  // Another spelling of a path, such as `a//b` or `./a`, names no file.
  if (/(^|[\\/])\.{0,2}[\\/]|[\\/]\.{0,2}$/.test(path)) return false;
  const forms = COMPRESSED.filter(({ encoding }) => acceptsEncoding(exchange.request, encoding));
  for (const { encoding, suffix } of [...forms, { encoding: '', suffix: '' }]) {
    const found = await send(exchange.request, encodeURI(path + suffix), {
      root: folder,
      dotfiles: 'ignore',
      cacheControl: false,
      contentType: false,
      index: false,
    });
    if (found.type !== 'file') continue;
    for (const [name, value] of Object.entries(found.headers)) exchange.setHeader(name, value);
    const type = mime.getType(path) ?? 'application/octet-stream';
    exchange.setHeader('content-type', isUtf8MimeType(type) ? `${type}; charset=utf-8` : type);
    if (encoding !== '') exchange.setHeader('content-encoding', encoding);
    exchange.setHeader('vary', 'Origin, Accept-Encoding');
    const isHashed = path.startsWith('assets/');
    exchange.setHeader(
      'cache-control',
      isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    exchange.sendStream(found.statusCode, found.stream);
    return true;
  }
  return false;
}
