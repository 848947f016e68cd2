import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { makeDevice } from './device.ts';
import { CallError } from './engine.ts';
import { typescript } from './typescript.ts';

/** An answer to a call, and what the SDK must make of it. */
interface Case {
  answer: string;
  call: 'leaderboards.page' | 'saves.delete';
  http_version?: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The code of the call's error; null if the call succeeds. */
  code: string | null;
}

const table = new URL('../transcripts/tables/answers.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(table, 'utf8')) as { cases: Case[] };
const foreign = cases.filter(({ code }) => code === 'bad_answer');

type Answer = Pick<Case, 'status' | 'headers' | 'body' | 'http_version'>;

const ours = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'overworld-server': '0.1.0' },
  body: JSON.stringify(body),
});

/** Starts a server that gives each request the answer that the test chooses for its method and path. */
async function startServer(t: TestContext) {
  const chosen = { answer: (_line: string, _body: string): Answer => ours(404, { error: 'None' }) };
  const server = createServer(async (request, response) => {
    let sent = '';
    for await (const chunk of request) sent += chunk;
    const answer = chosen.answer(`${request.method} ${request.url}`, sent);
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
function succeed(line: string, body: string): Answer {
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
    return ours(200, { success: true, version: 1, updated_at: '2026-03-01T18:24:05.120Z' });
  }
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

for (const engine of [typescript]) {
  const { name, skip } = engine;
  describe(
    `${name}: an answer counts only if it is the server's`,
    { skip, concurrency: true },
    () => {
      test('each answer of the table', async (t) => {
        const server = await startServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        // The name of the board or slot tells which case a request is.
        server.answer = (line) =>
          cases[Number(/case-(\d+)/.exec(line)?.[1])] ?? succeed(line, '[]');
        const problems: string[] = [];
        await Promise.all(
          cases.map(async ({ answer, call, status, code }, index) => {
            const place = `case-${index}`;
            const outcome = await game.call(call, { board: place, slot: place }).then(
              () => null,
              (error: unknown) => error,
            );
            if (outcome !== null && !(outcome instanceof CallError)) throw outcome;
            const actual = outcome && `${outcome.code} ${outcome.status}`;
            const expected = code && `${code} ${status}`;
            if (actual !== expected) problems.push(`${answer}: ${actual}, not ${expected}`);
          }),
        );
        assert.deepEqual(problems, []);
      });

      test('events stay at each answer of somebody else', async (t) => {
        const server = await startServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        server.answer = succeed;
        assert.equal(await game.call('flush'), true);
        await game.call('track', { event_name: 'kept' });
        for (const answer of foreign) {
          server.answer = () => answer;
          assert.equal(await game.call('flush'), false, answer.answer);
          const { queued, dropped } = await game.call('reports');
          assert.deepEqual([queued, dropped], [1, []], answer.answer);
        }
        server.answer = succeed;
        await waitUntil('they are sent', async () => game.call('flush'));
        assert.deepEqual((await game.call('reports')).dropped, []);
      });

      test('kept calls stay, and are sent when the server answers', async (t) => {
        const server = await startServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const html = { 'content-type': 'text/html' };
        for (const status of [404, 403, 200, 302]) {
          server.answer = () => ({ status, headers: html, body: '<p>Not here</p>' });
          const calls = [
            game.call('leaderboards.submit', { board: 'b', score: 1 }),
            game.call('saves.save', { text: '{"a":1}' }),
            game.call('achievements.unlock', { key: 'k' }),
          ];
          const codes = (await Promise.allSettled(calls)).map(
            (settled) => settled.status === 'rejected' && (settled.reason as CallError).code,
          );
          assert.deepEqual(codes, ['bad_answer', 'bad_answer', 'bad_answer'], `${status}`);
          assert.equal(await game.call('queued_calls'), 3, `${status}`);
        }
        server.answer = succeed;
        await waitUntil('they are sent', async () => game.call('flush'));
        assert.equal(await game.call('queued_calls'), 0);
      });
    },
  );
}
