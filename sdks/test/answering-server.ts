import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** An answer, as a server or somebody else sends it. */
export interface SentAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** By default `1.1`. */
  http_version?: string;
}

export const ours = (status: number, body: object): SentAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'overworld-server': '0.1.0' },
  body: JSON.stringify(body),
});

/** The server's answer without a body. */
const done: SentAnswer = { status: 204, headers: { 'overworld-server': '0.1.0' }, body: '' };

/** Starts a server that gives each request the answer that the test chooses for its method and path. */
export async function startAnsweringServer(t: TestContext) {
  const chosen = {
    answer: (_line: string, _body: string): SentAnswer | Promise<SentAnswer> =>
      ours(404, { error: 'None' }),
  };
  const server = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const answer = await chosen.answer(`${request.method} ${request.url}`, sent);
    const { status, headers, body, http_version = '1.1' } = answer;
    const hasBody = status !== 204 && status !== 304;
    const lines = Object.entries({
      ...headers,
      ...(hasBody && { 'content-length': Buffer.byteLength(body) }),
      'access-control-allow-origin': '*',
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/${http_version} ${status} ${STATUS_CODES[status] ?? 'Status'}`, ...lines];
    response.socket!.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(chosen, { url: `http://127.0.0.1:${port}` });
}

/** Answers all calls of this file as the server does. */
export function succeed(line: string, body: string): SentAnswer {
  if (line.includes('/track')) {
    const { length } = JSON.parse(body) as unknown[];
    return ours(202, { received: length, quota: { remaining: 9, limit: 10 } });
  }
  if (line.includes('/login')) {
    const { player_id } = JSON.parse(body) as { player_id: string };
    return ours(200, {
      player_id,
      player_token: 'token',
      expires_at: '2100-01-01T00:00:00.000Z',
      refresh_token: 'refresh',
      created: true,
      providers: ['device'],
    });
  }
  if (line.includes('/saves')) {
    if (line.startsWith('DELETE')) return done;
    return ours(200, { success: true, version: 1, updated_at: '2026-03-01T18:24:05.120Z' });
  }
  if (line.includes('/erase')) return done;
  if (line.includes('/export')) return ours(200, { player: { player_id: 'p-1' } });
  if (line.includes('/unlock')) {
    const achievement = { key: 'k', name: 'K', description: '', points: 1 };
    return ours(200, { success: true, achievement, already_unlocked: false, total_points: 1 });
  }
  if (line.includes('/config')) return ours(200, { config: {}, version: 1 });
  return ours(200, {
    board_name: 'b',
    rank: 1,
    player_id: 'p-1',
    player_name: null,
    score: 1,
    metadata: null,
    updated_at: '2026-03-01T18:24:05.120Z',
    updated: true,
    total_entries: 1,
    entries: [],
  });
}
