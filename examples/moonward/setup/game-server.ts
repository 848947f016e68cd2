import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

/** Contents of `settings.json`, by which the game finds its server. */
interface GameSettings {
  base_url: string;
  api_key: string;
}

interface GameServerOptions {
  folder: string;
  host: string;
  port: number;
  /** Answers requests for paths below `/accounts/`. */
  answerAccounts: RequestListener;
}

/**
 * Serves the built game, `settings.json` beside it, and the studio's account server.
 * @param settings_for Returns the settings for a browser that reached
 * the game by this host name, or null while there is no server yet.
 */
export async function serveGame(
  { folder, host, port, answerAccounts }: GameServerOptions,
  settings_for: (host_name: string) => GameSettings | null,
): Promise<Server> {
  const server = createServer((request, response) => {
    const address = URL.parse(request.url ?? '/', `http://${request.headers.host}`);
    if (address === null) return send(response, 400, 'text/plain', 'Bad request');
    const { pathname, hostname } = address;
    const settings = settings_for(hostname);
    if (settings === null) return send(response, 503, 'text/plain', 'Starting');
    // The game may call only its own server.
    const sources = `default-src 'self'; img-src 'self' data:; connect-src 'self' ${settings.base_url}`;
    response.setHeader('content-security-policy', sources);
    if (pathname.startsWith('/accounts/')) return void answerAccounts(request, response);
    if (pathname === '/settings.json') {
      return send(response, 200, 'application/json', JSON.stringify(settings));
    }
    const name = pathname === '/' ? '/index.html' : pathname;
    const type = TYPES[extname(name)];
    // `URL` has already resolved each "..", and names of built files have only these characters.
    if (type === undefined || !/^[\w./-]+$/.test(name)) {
      return send(response, 404, 'text/plain', 'Not found');
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
