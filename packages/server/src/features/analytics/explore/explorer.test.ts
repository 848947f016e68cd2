import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createExplorer } from './explorer.ts';
import type { Explorer } from './explorer.ts';
import { insertEvents, makeTestPartition, reportPath, TEST_DAY } from './test/event-table.ts';

let server: TestServer;
let game_id: string;
let token: string;
let explorer: Explorer;

before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
  ({ game_id } = await server.makeGame());
  ({ token } = await server.makeAccount({ game_id }));
  await insertEvents(server, game_id, [{ event_name: 'e', player_id: 'p', at_s: 1 }]);
  explorer = createExplorer({ url: server.database_url });
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
  group_by: null,
  property: null,
  limit: 10,
});

/** Keeps everybody from reading events until it is released: as a report that takes for ever. */
async function lockEvents() {
  const client = await server.database.connect();
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

test('a report that takes too long is stopped in PostgreSQL, and the next one is made', async () => {
  const release = await lockEvents();
  try {
    const late = explorer.report('breakdown', input(), new AbortController().signal, 0.2);
    await assert.rejects(late, {
      status: 503,
      message:
        'The report was not ready after 0.2 seconds, its wait for other reports included: narrow it to fewer days or rarer events',
    });
    // Still locked: it was cancelled, and did not just end.
    await waitForReading(false);
  } finally {
    await release();
  }
  const { total } = await explorer.report('breakdown', input(), new AbortController().signal);
  assert.equal(total.events, 1);
});

test('a report waits for others no longer than it may take, and is never begun then', async () => {
  const release = await lockEvents();
  const { signal } = new AbortController();
  // As many as are made at once.
  const others = [1, 2].map(() => explorer.report('breakdown', input(), signal));
  const wrong = { ...input(), game_id: 'not a uuid: PostgreSQL would say so' };
  const late = explorer.report('breakdown', wrong, signal, 0.2);
  await assert
    .rejects(late, {
      status: 503,
      message: 'Other reports kept this one waiting for 0.2 seconds: try again in a minute',
    })
    .finally(release);
  const totals = (await Promise.all(others)).map(({ total }) => total.events);
  assert.deepEqual(totals, [1, 1]);
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

test('reports wait for each other, and too many are refused', async () => {
  const release = await lockEvents();
  const leaving = new AbortController();
  const results = Array.from({ length: 40 }, () =>
    explorer.report('breakdown', input(), leaving.signal).catch((error: Error) => error.message),
  );
  await waitForReading(true);
  await release();
  const settled = await Promise.all(results);
  const refused = settled.filter((result) => typeof result === 'string');
  assert.ok(refused.length >= 18 && refused.length <= 20, `${refused.length} refused`);
  assert.equal(refused[0], 'Too many reports are being made, try again in a few seconds');
});

test('an error of PostgreSQL is passed on as one', async () => {
  const wrong = { ...input(), game_id: 'not a uuid' };
  const failing = explorer.report('breakdown', wrong, new AbortController().signal);
  await assert.rejects(failing, { code: '22P02', severity: 'ERROR' });
});

test('a database that writes bytes in the old form is read all the same', async () => {
  const name = new URL(server.database_url).pathname.slice(1);
  const client = await server.database.connect();
  await client.query(`ALTER DATABASE "${name}" SET bytea_output = 'escape'`);
  const fresh = createExplorer({ url: server.database_url });
  try {
    const { total } = await fresh.report('breakdown', input(), new AbortController().signal);
    assert.equal(total.events, 1);
  } finally {
    await client.query(`ALTER DATABASE "${name}" RESET bytea_output`);
    client.release();
    await fresh.close();
  }
});

test('closing stops reports, and ends the thread', async () => {
  const release = await lockEvents();
  const closing = createExplorer({ url: server.database_url });
  const stopped = closing.report('breakdown', input(), new AbortController().signal);
  const rejected = assert.rejects(stopped);
  await waitForReading(true);
  await closing.close();
  await rejected;
  await release();
});
