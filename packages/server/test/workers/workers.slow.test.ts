import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';
import { ask } from './client.ts';

/** With this many connections, the operating system gives some to each worker. */
const CONNECTIONS = 32;

let server: TestServer;
const logged: { worker?: number; msg: string; operation?: string }[] = [];
before(async () => {
  const write = (lines: string) => {
    for (const line of lines.trimEnd().split('\n')) logged.push(JSON.parse(line));
  };
  server = await startTestServer({ env: { WORKERS: '2', MAX_CONNECTIONS: '500' }, log: { write } });
});
after(() => server.close());

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
after(() => agent.destroy());

/** Sends all requests at the same time, over connections to all workers. */
const askAll = <T>(
  items: readonly T[],
  toRequest: (item: T) => [path: string, options?: Parameters<typeof ask>[2]],
) =>
  Promise.all(
    items.map((item) => {
      const [path, options] = toRequest(item);
      return ask(server.url, path, { agent, ...options });
    }),
  );
const each = Array.from({ length: 2 * CONNECTIONS }, (_, index) => index);

describe('two workers', () => {
  test('each answer requests, and each log line names its worker', async () => {
    const answers = await askAll(each, () => ['/v1/auth/options']);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const isRead = ({ operation }: (typeof logged)[number]) => operation === 'getAuthOptions';
    await waitUntil('all are logged', async () => logged.filter(isRead).length >= each.length);
    const workers = logged.filter(isRead).map(({ worker }) => worker);
    assert.deepEqual([...new Set(workers)].toSorted(), [0, 1]);
  });

  test('refuse a revoked key on every connection as soon as the revocation is answered', async () => {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id });
    for (let round = 0; round < 5; round++) {
      const made = await server.request('POST', `/v1/games/${game_id}/api-keys`, {
        token,
        body: { name: 'k', environment: 'production' },
      });
      assert.equal(made.status, 201, made.text);
      const headers = { 'x-game-api-key': made.body.key };
      const before_it = await askAll(each, () => ['/v1/achievements', { headers }]);
      assert.deepEqual(new Set(before_it.map(({ status }) => status)), new Set([200]));
      const path = `/v1/games/${game_id}/api-keys/${made.body.id}`;
      const revoked = await server.request('DELETE', path, { token });
      assert.equal(revoked.status, 204, revoked.text);
      const after_it = await askAll(each, () => ['/v1/achievements', { headers }]);
      assert.deepEqual(new Set(after_it.map(({ status }) => status)), new Set([401]));
    }
  });

  test('count the events of simultaneous copies of a request with an Idempotency-Key only once', async () => {
    const { production_key } = await server.makeGame();
    const event = { event_name: 'e', session_id: 's', player_id: 'p' };
    const headers = { 'x-game-api-key': production_key, 'idempotency-key': 'once' };
    const answers = await askAll(each, () => [
      '/v1/track',
      { method: 'POST', headers, body: [event] },
    ]);
    const accepted = answers.filter(({ status }) => status === 202);
    assert.ok(accepted.length > 0);
    assert.ok(answers.every(({ status }) => status === 202 || status === 409));
    assert.equal(new Set(accepted.map(({ text }) => text)).size, 1);
    const timeline = await ask(server.url, '/metrics', { agent });
    assert.match(timeline.text, /^overworld_events_stored_total 1$/m);
  });

  test('rank the scores of a board together, whichever worker gets them', async () => {
    const { production_key } = await server.makeGame();
    const headers = { 'x-game-api-key': production_key };
    const boards = ['a', 'b', 'c', 'd'];
    const submits = boards.flatMap((board_name) => each.map((score) => ({ board_name, score })));
    const answers = await askAll(submits, ({ board_name, score }) => [
      '/v1/leaderboards',
      { method: 'POST', headers, body: { board_name, player_id: `p${score}`, score } },
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const totals = answers.slice(0, each.length).map(({ text }) => JSON.parse(text).total_entries);
    // All scores of a batch get the same `total_entries`, so only the largest total must be the number of
    // scores.
    assert.equal(Math.max(...totals), each.length);
    for (const board of boards) {
      const pages = await askAll(each, () => [
        `/v1/leaderboards/${board}?limit=100&player_id=p3`,
        { headers },
      ]);
      assert.equal(new Set(pages.map(({ text }) => text)).size, 1);
      const page = JSON.parse(pages[0]!.text);
      assert.deepEqual(
        page.entries.map(({ rank, score }: { rank: number; score: number }) => [rank, score]),
        each.toReversed().map((score, index) => [index + 1, score]),
      );
      assert.equal(page.player.rank, each.length - 3);
    }
  });

  test('refuse a score with the same message as a single worker', async () => {
    const { game_id, production_key } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id });
    const bounds = { order: 'descending', reset_schedule: 'none', max_score: 5 };
    const boards = ['a', 'b', 'c', 'd'];
    for (const board of boards) {
      const path = `/v1/games/${game_id}/leaderboards/${board}`;
      const put = await server.request('PUT', path, { token, body: bounds });
      assert.equal(put.status, 200, put.text);
    }
    const headers = { 'x-game-api-key': production_key };
    const answers = await askAll([...boards, ...boards, ...boards], (board_name) => [
      '/v1/leaderboards',
      { method: 'POST', headers, body: { board_name, player_id: 'p', score: 6 } },
    ]);
    for (const { status, text } of answers) {
      assert.deepEqual([status, text], [400, '{"error":"score must be at most 5 on this board"}']);
    }
  });

  test('show acknowledged events at once, whichever worker is asked', async () => {
    const { production_key } = await server.makeGame();
    const headers = { 'x-game-api-key': production_key };
    for (const round of [1, 2, 3]) {
      const event = { event_name: 'e', session_id: 's', player_id: 'p' };
      await askAll(each, () => ['/v1/track', { method: 'POST', headers, body: [event] }]);
      const path = '/v1/players/p/timeline?limit=1000';
      for (const { status, text } of await askAll(each, () => [path, { headers }])) {
        assert.equal(status, 200, text);
        assert.equal(JSON.parse(text).events.length, round * each.length);
      }
    }
  });

  test('each answer with the metrics of both workers', async () => {
    const read = async () => {
      const { text } = await ask(server.url, '/metrics', { agent });
      const line = /duration_seconds_count\{operation="getReadiness",status="200"\} (\d+)/.exec(
        text,
      );
      return { count: Number(line?.[1] ?? 0), text };
    };
    const { count } = await read();
    await askAll(each, () => ['/readyz']);
    for (let reads = 0; reads < 8; reads++) {
      const { count: now, text } = await read();
      assert.equal(now, count + each.length);
      assert.equal(text.match(/^overworld_info/gm)?.length, 1);
      assert.equal(text.match(/^process_resident_memory_bytes/gm)?.length, 1);
    }
  });

  test('count the open connections of an address together', async () => {
    await using limited = await startTestServer({
      env: { WORKERS: '2', MAX_CONNECTIONS_PER_ADDRESS: '20' },
    });
    const many = new Agent({ keepAlive: true, maxSockets: 60 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () =>
        ask(limited.url, '/healthz', { agent: many }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    many.destroy();
    // A connection serves several requests, so at least twenty succeed.
    assert.ok(answers.filter((status) => status === 200).length >= 20);
    assert.ok(answers.filter((status) => status !== 200).length >= 40);
  });

  test('end together, after they have answered the requests that they have', async () => {
    const ending = await startTestServer({ env: { WORKERS: '2' } });
    const { production_key } = await ending.makeGame();
    const keep = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const headers = { 'x-game-api-key': production_key };
    const some = each.slice(0, CONNECTIONS);
    await Promise.all(some.map(() => ask(ending.url, '/healthz', { agent: keep })));
    const submits = some.map((score) =>
      ask(ending.url, '/v1/leaderboards', {
        method: 'POST',
        agent: keep,
        headers,
        body: { board_name: `b${score % 4}`, player_id: `p${score}`, score },
      }),
    );
    await submits[0];
    const [answers] = await Promise.all([Promise.all(submits), ending.close()]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    keep.destroy();
  });
});
