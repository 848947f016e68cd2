import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** Where the game finds its server, as it reads it from `settings.json`. */
export interface GameSettings {
  base_url: string;
  api_key: string;
}

/**
 * Serves the built game, and `settings.json` beside it.
 * @param settings_for Settings for a browser that reached the game by this host name.
 */
export async function serveGame(
  { folder, host, port }: { folder: string; host: string; port: number },
  settings_for: (host_name: string) => GameSettings,
): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, hostname } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (pathname === '/settings.json') {
      send(response, 200, 'application/json', JSON.stringify(settings_for(hostname)));
      return;
    }
    const name = pathname === '/' ? '/index.html' : pathname;
    const type = TYPES[extname(name)];
    // URL has resolved every "..", and only plain names are of the build.
    if (type === undefined || !/^[\w./-]+$/.test(name)) {
      send(response, 404, 'text/plain', 'Not found');
      return;
    }
    readFile(join(folder, name)).then(
      (bytes) => send(response, 200, type, bytes),
      () => send(response, 404, 'text/plain', 'Not found'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return server;
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer) {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
