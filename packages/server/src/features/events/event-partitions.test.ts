import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import pino from 'pino';
import { cloneDatabase } from '../../../test/harness.ts';
import { IS_SPREAD, openTestGroup } from '../../../test/test-database.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { dropExpiredPartitions, makeComingPartitions } from './event-partitions.ts';
import { createIngester } from './inbox/ingester.ts';

let database: Database;
let drop: () => Promise<void>;

beforeEach(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  database = openTestGroup({ url: cloned.url }, { application_name: 'test', max_connections: 8 });
});
afterEach(async () => {
  await database.close();
  await drop();
});

const listPartitions = async () => {
  const rows = await database.query<{ name: string }>(sql`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'events'::regclass AND relkind = 'r' ORDER BY 1`);
  return rows.map(({ name }) => name);
};

/**
 * Lists the names of monthly partitions. An offset is the number of months from this month: -1 is the
 * previous month.
 */
const monthsFromNow = (...offsets: number[]) => {
  const now = new Date();
  return offsets.map((offset) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset));
    return `events_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  });
};

/** Puts a request into the inbox, as if it had been received this many months ago. */
const receive = (months_ago: number) =>
  database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${randomUUID()}, 'production', ${randomUUID()},
            now() - make_interval(months => ${months_ago}), 1,
            '[{"event_name":"e","session_id":"s"}]')`);

async function processInbox() {
  const ingester = createIngester({ database, logger: pino({ level: 'silent' }) });
  await ingester.processInbox();
  await ingester.close();
}

const countEvents = async () => {
  const row = await database.queryOne<{ count: number }>(sql`SELECT count(*) AS count FROM events`);
  return row!.count;
};

test('each partition of this month and the next two is made once, even if several nodes make them', async () => {
  await Promise.all(Array.from({ length: 4 }, () => makeComingPartitions(database)));
  assert.deepEqual(await listPartitions(), monthsFromNow(0, 1, 2));
  await makeComingPartitions(database);
  assert.deepEqual(await listPartitions(), monthsFromNow(0, 1, 2));
});

test('a partition has the indexes of the table, and covers the month in its name', async () => {
  await makeComingPartitions(database);
  const [name] = monthsFromNow(0);
  const row = await database.queryOne<{ bound: string; indexes: number; own: number }>(sql`
    SELECT pg_get_expr(relpartbound, pg_class.oid) AS bound,
           (SELECT count(*) FROM pg_index WHERE indrelid = pg_class.oid) AS indexes,
           (SELECT count(*) FROM pg_index JOIN pg_inherits ON inhrelid = indexrelid
            WHERE indrelid = pg_class.oid) AS own
    FROM pg_class WHERE relname = ${name}`);
  const month = name!.slice(7).replace('_', '-');
  assert.ok(row!.bound.startsWith(`FOR VALUES FROM ('${month}-01 00:00:00+00') TO (`), row!.bound);
  assert.deepEqual([row!.indexes, row!.own], [3, 3]);
});

test('the ingester makes the partitions that are missing', async () => {
  for (const months_ago of [0, 3, 14]) await receive(months_ago);
  await processInbox();
  assert.equal(await countEvents(), 3);
  // The partitions of this month and the next two existed before.
  assert.deepEqual(await listPartitions(), monthsFromNow(-14, -3, 0, 1, 2));
});

test('partitions whose events are all older than the retention are dropped', async () => {
  await makeComingPartitions(database);
  for (const months_ago of [0, 1, 3, 6]) await receive(months_ago);
  await processInbox();
  // The previous month ended at most 31 days ago, so its
  // partition stays. Month -3 ended at least 59 days ago.
  await dropExpiredPartitions(database, 45);
  assert.deepEqual(await listPartitions(), monthsFromNow(-1, 0, 1, 2));
  assert.equal(await countEvents(), 2);
  const left = await database.query(
    sql`SELECT FROM pg_class WHERE relname = ANY(${monthsFromNow(-3, -6)})`,
  );
  assert.equal(left.length, 0);
});

test('if a reader blocks the drop of a partition, the drop fails after a timeout, and the next run finishes it', async () => {
  await makeComingPartitions(database);
  await receive(6);
  await processInbox();
  const [expired] = monthsFromNow(-6);
  const reader = await database.connect();
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await reader.query('SELECT count(*) FROM events');
  await assert.rejects(dropExpiredPartitions(database, 45), /lock timeout/);
  // The drop does not block other readers and writers. New readers no longer see the partition. On a cluster
  // of several databases, new readers still see the partition until the first reader ends.
  assert.equal(await countEvents(), IS_SPREAD ? 1 : 0);
  await receive(0);
  await processInbox();
  await reader.query('COMMIT');
  reader.release();
  await dropExpiredPartitions(database, 45);
  const left = await database.query(sql`SELECT FROM pg_class WHERE relname = ${expired}`);
  assert.equal(left.length, 0);
  assert.equal(await countEvents(), 1);
});

test('events received in the first or last moment of a month are in the partition of that month', async () => {
  const game_id = randomUUID();
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game_id}, 'production', ${randomUUID()}, at, 1,
           '[{"event_name":"e","session_id":"s"}]'
    FROM unnest(ARRAY['2026-02-28T23:59:59.999999Z', '2026-03-01T00:00:00Z',
                      '2025-12-31T23:59:59.999999Z', '2026-01-01T00:00:00Z']::timestamptz[]) AS at`);
  await processInbox();
  const rows = await database.query<{ name: string; at: string }>(sql`
    SELECT substring(tableoid::regclass::text FROM 'events_\\d{4}_\\d{2}') AS name, to_char(received_at, 'YYYY_MM') AS at FROM events
    WHERE game_id = ${game_id} ORDER BY received_at`);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['events_2025_12', 'events_2026_01', 'events_2026_02', 'events_2026_03'],
  );
  assert.ok(rows.every(({ name, at }) => name === `events_${at}`));
});

test('the drop of a partition releases its lock, so the next group of games can drop its own partitions', async () => {
  for (let round = 0; round < 20; round++) {
    // The table is like the detached partition that a server
    // leaves when it stops between detaching and dropping.
    await database.execute(sql`CREATE TABLE events_2020_01 (LIKE events)`);
    await dropExpiredPartitions(database, 30);
    const left = await database.queryOne(
      sql`SELECT FROM pg_class WHERE oid = to_regclass('events_2020_01')`,
    );
    assert.equal(left, null, `round ${round}`);
  }
});
