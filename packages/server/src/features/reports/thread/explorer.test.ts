import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeSoleWorkerPool } from '../../../platform/workers/worker-pool.ts';
import { createExplorer } from './explorer.ts';
import type { Explorer } from './explorer.ts';
import { makeTestPartition, TEST_DAY } from '../../../../test/past-day.ts';
import { insertEvents, reportPath } from '../test/event-table.ts';

const workerPool = makeSoleWorkerPool({ max_connections: 1 });
let server: TestServer;
let game_id: string;
let token: string;
let explorer: Explorer;

const openExplorer = (queues: Pick<Parameters<typeof createExplorer>[1], 'reports'> = {}) =>
  createExplorer(
    { url: server.database_url },
    { workerPool, group_count: server.database.groups.length, ...queues },
  );

before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
  ({ game_id } = await server.makeGame());
  ({ token } = await server.makeAccount({ game_id }));
  await insertEvents(server, game_id, [{ event_name: 'e', player_id: 'p', at_s: 1 }]);
  explorer = openExplorer();
});
after(async () => {
  await explorer.close();
  await server.close();
});

const input = () => ({
  game_id,
  environment: 'production' as const,
  starts_at: `${TEST_DAY}T00:00:00.000Z`,
  ends_at: `${TEST_DAY}T23:59:59.000Z`,
  events: { event_name: 'e', filter: [], text: '[]', path: [] },
  choice: null,
  group_by: null,
  property: null,
  limit: 10,
});

const asker = (network = '192.0.2.1', signal = new AbortController().signal) => ({
  owner: [network, 'account', game_id],
  signal,
});

/** Locks the events until the returned function is called, so reports do not end. */
async function lockEvents() {
  const client = await server.database.ofGame(game_id).connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

const countReading = async () => {
  const row = await server.database.queryOne<{ reading: number }>(sql`
    SELECT count(*) AS reading FROM pg_stat_activity
    WHERE application_name = 'overworld-explore' AND datname = current_database()
      AND state = 'active'`);
  return row!.reading;
};
const waitForReading = (reading: boolean) =>
  waitUntil(reading ? 'a report reads' : 'nothing reads', async () => {
    return (await countReading()) > 0 === reading;
  });

test('a report that takes too long is stopped in PostgreSQL, and the next report is made', async () => {
  const release = await lockEvents();
  try {
    const late = explorer.report('breakdown', input(), asker(), 0.2);
    await assert.rejects(late, {
      status: 503,
      message:
        'The report was not ready after 0.2 seconds, its wait for other reports included: narrow it to fewer days or rarer events',
    });
    // The lock is still held, so the statement did not end by itself: it was cancelled.
    await waitForReading(false);
  } finally {
    await release();
  }
  const { total } = await explorer.report('breakdown', input(), asker());
  assert.equal(total.events, 1);
});

test('a report whose turn does not come is refused with a reason, and never begins', async () => {
  const queue = { slots: 1, deadline_ms: 200 };
  const hasty = openExplorer({ reports: queue });
  const release = await lockEvents();
  const other = hasty.report('breakdown', input(), asker());
  await waitForReading(true);
  const wrong = { ...input(), game_id: 'not a uuid: PostgreSQL would say so' };
  await assert
    .rejects(hasty.report('breakdown', wrong, asker()), {
      status: 503,
      message:
        'Other reports are being made, and the turn of this one did not come: try again in a minute',
    })
    .finally(release);
  assert.equal((await other).total.events, 1);
  await hasty.close();
});

test('a client that hangs up stops its report in PostgreSQL', async () => {
  const release = await lockEvents();
  try {
    const leaving = new AbortController();
    const path = reportPath(game_id, 'analytics/breakdown', { event_name: 'e' });
    const gone = fetch(server.url + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    });
    await waitForReading(true);
    leaving.abort();
    await assert.rejects(gone, /abort/);
    await waitForReading(false);
  } finally {
    await release();
  }
});

test('some of forty reports of one account are refused, and another account has the next turn', async () => {
  const release = await lockEvents();
  const made: string[] = [];
  const ask = async (network: string) => {
    try {
      await explorer.report('breakdown', input(), asker(network));
      made.push(network);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const flood = Array.from({ length: 40 }, () => ask('192.0.2.1'));
  await waitForReading(true);
  const other = ask('192.0.2.2');
  await release();
  assert.equal(await other, undefined);
  // The other account's report comes after the running reports, and after one more if two run at the same
  // time.
  assert.ok(made.indexOf('192.0.2.2') <= 3, made.join(' '));
  const refused = (await Promise.all(flood)).filter((error) => error !== undefined);
  assert.ok(refused.length >= 18 && refused.length <= 19, `${refused.length} refused`);
  assert.equal(
    refused[0],
    'Other reports are being made, and the turn of this one did not come: try again in a minute',
  );
});

test('an error of PostgreSQL reaches the caller with its code and severity', async () => {
  const wrong = { ...input(), game_id: 'not a uuid' };
  const failing = explorer.report('breakdown', wrong, asker());
  await assert.rejects(failing, { code: '22P02', severity: 'ERROR' });
});

test('a database that writes bytes in the old format is read correctly', async () => {
  const name = new URL(server.database_url).pathname.slice(1);
  const client = await server.database.connect();
  await client.query(`ALTER DATABASE "${name}" SET bytea_output = 'escape'`);
  const fresh = openExplorer();
  try {
    const { total } = await fresh.report('breakdown', input(), asker());
    assert.equal(total.events, 1);
  } finally {
    await client.query(`ALTER DATABASE "${name}" RESET bytea_output`);
    client.release();
    await fresh.close();
  }
});

test('closing stops reports, and ends the thread', async () => {
  const release = await lockEvents();
  const closing = openExplorer();
  const stopped = closing.report('breakdown', input(), asker());
  const rejected = assert.rejects(stopped);
  await waitForReading(true);
  await closing.close();
  await rejected;
  await release();
});
