import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

const TOKEN = 'a-token-of-32-characters-or-more';

/** Splits metrics into lines. If games are in groups, the values of all groups are added up in one line. */
function addUpGroups(text: string): string[] {
  const sums = new Map<string, number>();
  const lines = text.split('\n').filter((line) => {
    const { name, value } = /^(?<name>\w+)\{group="\d+"\} (?<value>.+)$/.exec(line)?.groups ?? {};
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(value));
    return name === undefined;
  });
  return [...lines, ...[...sums].map(([name, value]) => `${name} ${value}`)];
}

suite('a running server', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { METRICS_TOKEN: TOKEN } });
  });
  after(() => server.close());

  /** Reads the value in the line of metrics that begins with `start`; null if there is no such line. */
  async function readMetric(start: string): Promise<number | null> {
    const { text } = await server.request('GET', '/metrics');
    const line = addUpGroups(text).find((candidate) => candidate.startsWith(`${start} `));
    return line === undefined ? null : Number(line.slice(start.length));
  }

  const countRequests = (operation: string, status: number) =>
    readMetric(
      `overworld_request_duration_seconds_count{operation="${operation}",status="${status}"}`,
    );

  test('answers requests for health and readiness', async () => {
    assert.deepEqual((await server.request('GET', '/healthz')).body, { status: 'ok' });
    assert.deepEqual((await server.request('GET', '/readyz')).body, { status: 'ready' });
  });

  test('a request from this machine or with the token reads metrics in Prometheus format', async () => {
    const local = await server.request('GET', '/metrics');
    assert.equal(local.status, 200);
    assert.equal(local.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(local.text, /^# HELP /);
    const forwarded = { 'x-forwarded-for': '127.0.0.1' };
    const authorization = `Bearer ${TOKEN}`;
    const elsewhere = await server.request('GET', '/metrics', { headers: forwarded });
    assert.equal(elsewhere.status, 401);
    assert.deepEqual(elsewhere.body, { error: 'Invalid metrics token' });
    for (const [headers, status] of [
      [{ ...forwarded, authorization }, 200],
      [{ ...forwarded, authorization: 'Bearer wrong' }, 401],
      [{ ...forwarded, authorization: TOKEN }, 401],
      [{ forwarded: 'for=127.0.0.1' }, 401],
    ] as const) {
      assert.equal((await server.request('GET', '/metrics', { headers })).status, status);
    }
  });

  test('behind a proxy no request is local, and without METRICS_TOKEN no token is accepted', async () => {
    for (const [name, value] of [
      ['TRUST_PROXY', 'true'],
      ['PUBLIC_URL', 'https://games.example'],
    ] as const) {
      await using proxied = await startTestServer({ env: { [name]: value } });
      await assertClosed(proxied);
    }
    await using proxied = await startTestServer({
      env: { TRUST_PROXY: 'loopback', METRICS_TOKEN: TOKEN },
    });
    const headers = { authorization: `Bearer ${TOKEN}` };
    assert.equal((await proxied.request('GET', '/metrics', { headers })).status, 200);
  });

  async function assertClosed(proxied: TestServer): Promise<void> {
    const ask = async (headers: Record<string, string>) =>
      (await proxied.request('GET', '/metrics', { headers })).status;
    assert.equal(await ask({ 'x-forwarded-for': '127.0.0.1' }), 401);
    assert.equal(await ask({ 'x-forwarded-for': '8.8.8.8', authorization: 'Bearer null' }), 401);
    // This could also be a request from the internet, through a proxy here that adds no forwarding headers.
    assert.equal(await ask({}), 401);
  }

  test('requests are counted by operation and status', async () => {
    const health = (await countRequests('getHealth', 200)) ?? 0;
    await server.request('GET', '/healthz');
    assert.equal(await countRequests('getHealth', 200), health + 1);
    await server.request('GET', '/v1/achievements');
    assert.equal(await countRequests('listAchievements', 401), 1);
    await server.request('GET', '/v1/none');
    assert.equal(await countRequests('none', 404), 1);
  });

  test('metrics show batches, queues, pools, the inbox and the process', async () => {
    const game = await server.makeGame();
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, position)
      VALUES (${game.game_id}, 'a', 'A', 1)`);
    const body = { achievement_key: 'a', player_id: 'p1' };
    const options = { key: game.production_key, body };
    const unlocked = await server.request('POST', '/v1/achievements/unlock', options);
    assert.equal(unlocked.status, 200);
    assert.equal(await readMetric('overworld_batch_size_sum{batcher="unlocks"}'), 1);
    assert.equal(await readMetric('overworld_flush_duration_seconds_count{batcher="unlocks"}'), 1);
    assert.equal(await readMetric('overworld_queue_length{batcher="unlocks"}'), 0);
    assert.ok((await readMetric('overworld_database_connections{pool="hot"}'))! > 0);
    assert.equal(await readMetric('overworld_database_waiting{pool="hot"}'), 0);
    assert.equal(await readMetric('overworld_inbox_age_seconds'), 0);
    assert.ok((await readMetric('process_resident_memory_bytes'))! > 0);
    assert.notEqual(await readMetric('nodejs_eventloop_lag_p99_seconds'), null);
  });

  test('metrics show events, refusals by quota and by rate, and backlogs', async () => {
    await using limited = await startTestServer({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    const game = await limited.makeGame();
    await limited.database.execute(sql`
      INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
      VALUES (${game.game_id}, date_trunc('month', now())::date, 99999, 0, 100000)`);
    const event = { event_name: 'e', session_id: 's' };
    const statuses = [];
    for (let sent = 0; sent < 4; sent++) {
      const options = { key: game.production_key, body: [event, event] };
      statuses.push((await limited.request('POST', '/v1/track', options)).status);
    }
    assert.deepEqual(statuses, [202, 429, 429, 429]);
    const lines = addUpGroups((await limited.request('GET', '/metrics')).text);
    for (const [name, value] of [
      ['overworld_events_stored_total', '1'],
      ['overworld_quota_refusals_total', '2'],
      ['overworld_rate_limit_refusals_total{counted_by="key"}', '1'],
      ['overworld_inbox_requests', '\\d+'],
      ['overworld_quarantined_requests', '0'],
      ['overworld_mails_waiting', '0'],
      ['overworld_info{release=".+"}', '1'],
    ] as const) {
      const pattern = new RegExp(`^${name} ${value}$`);
      assert.ok(
        lines.some((line) => pattern.test(line)),
        name,
      );
    }
  });

  test('HEAD gets the same answer as GET, but without the body', async () => {
    const game = await server.makeGame();
    for (const [path, options, status] of [
      ['/healthz', {}, 200],
      ['/readyz', {}, 200],
      ['/v1/openapi.json', {}, 200],
      ['/v1/config', {}, 401],
      ['/v1/config', { key: game.production_key }, 200],
      ['/docs', {}, 200],
      ['/v1/none', {}, 404],
    ] as const) {
      const got = await server.request('GET', path, options);
      const head = await server.request('HEAD', path, options);
      assert.deepEqual([head.status, head.text], [status, ''], path);
      for (const name of ['content-type', 'content-length', 'etag']) {
        assert.equal(head.headers.get(name), got.headers.get(name), `${name} of ${path}`);
      }
    }
    assert.equal((await server.request('HEAD', '/v1/track')).status, 404);
  });
});
