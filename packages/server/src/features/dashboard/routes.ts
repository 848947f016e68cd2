import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { usePageHeaders } from '../../platform/http/page-headers.ts';

/** The output folder of `npm run build -w packages/dashboard`. */
const BUILT_APP = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url));

/** Paths of the API, where unknown paths are answered in JSON. */
const RESERVED = /^\/(v1|docs|healthz|readyz|metrics)(\/|\?|$)/;

const NOT_BUILT =
  'The dashboard is not built. Run `npm run build -w packages/dashboard`, then restart the server.\n';

/**
 * Serves the web app: its files, and its page for every other path that a browser opens. Browsers
 * cache files in `assets` for ever, as their names hold a hash of the content. They ask again for
 * other files at each use.
 * @param folder The built app. Without it a page says that the dashboard is not built.
 */
export async function mountDashboard(
  app: FastifyInstance,
  options: { public_url: string; folder?: string },
): Promise<void> {
  const { public_url, folder = BUILT_APP } = options;
  await app.register(async (pages) => {
    await usePageHeaders(pages, public_url);

    if (!existsSync(join(folder, 'index.html'))) {
      pages.get('/*', async (request, reply) =>
        isPage(request)
          ? reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
          : reply.callNotFound(),
      );
      return;
    }

    await pages.register(fastifyStatic, {
      root: folder,
      // A new build may replace the files while the server runs, so each request looks them up.
      serve: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.startsWith(join(folder, 'assets'));
        reply.header(
          'Cache-Control',
          isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
    pages.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
      if (RESERVED.test(request.url)) return reply.callNotFound();
      const { '*': path } = request.params as { '*': string };
      return reply.sendFile(isPage(request) ? 'index.html' : path);
    });
  });
}

/** Whether a person opens this path in a browser; `/` is a page for every client. */
function isPage({ url, headers }: FastifyRequest): boolean {
  if (RESERVED.test(url)) return false;
  return /^\/(\?|$)/.test(url) || (headers.accept ?? '').includes('text/html');
}
