import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { createBatcher } from './batcher.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** Tests of the promises that a batcher makes to its requests. Its flushes write to a table of numbers. */

let drop: () => Promise<void>;
let database: Database;
let flushes: string[][];

before(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  const options = { application_name: 'batches', max_connections: 3 };
  database = openTestDatabase({ url: cloned.url }, options);
  await database.execute(
    sql`CREATE TABLE numbers (place bigint GENERATED ALWAYS AS IDENTITY, number integer)`,
  );
});
beforeEach(async () => {
  flushes = [];
  await database.execute(sql`DELETE FROM numbers`);
});
after(async () => {
  await database.close();
  await drop();
});

const createNumbers = () =>
  createBatcher<string, string>({
    name: 'numbers',
    max_batch_size: 10,
    max_queue_length: 50,
    async flush(numbers) {
      flushes.push(numbers);
      await database.execute(sql`
        INSERT INTO numbers (number)
        SELECT number::integer FROM unnest(${numbers}::text[]) WITH ORDINALITY AS sent (number, place)
        ORDER BY place`);
      return numbers.map((number) => `stored ${number}`);
    },
  });

const readNumbers = async () => {
  const rows = await database.query<{ number: number }>(
    sql`SELECT number FROM numbers ORDER BY place`,
  );
  return rows.map(({ number }) => number);
};

const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

test('answered requests are committed, in the order in which they came', async () => {
  const numbers = createNumbers();
  const answers = await Promise.all(upTo(40).map((number) => numbers.submit(number)));
  assert.deepEqual(
    answers,
    upTo(40).map((number) => `stored ${number}`),
  );
  assert.deepEqual(await readNumbers(), upTo(40).map(Number));
});

test('a request that comes while no flush is under way is flushed at once', () => {
  const numbers = createNumbers();
  void numbers.submit('1');
  assert.deepEqual(flushes, [['1']]);
  return numbers.close();
});

test('a request that PostgreSQL refuses fails by itself, and the others keep their order', async () => {
  const numbers = createNumbers();
  const sent = upTo(20).map((number) => (Number(number) % 7 === 3 ? `${number} apples` : number));
  const settled = await Promise.allSettled(sent.map((number) => numbers.submit(number)));
  const good = sent.filter((number) => !number.includes('apples'));
  assert.deepEqual(
    settled.filter(({ status }) => status === 'rejected').length,
    sent.length - good.length,
  );
  assert.deepEqual(await readNumbers(), good.map(Number));
});

test('after a lost connection the batch fails without a retry, and the next one is stored', async () => {
  const numbers = createNumbers();
  const lock = await database.connect();
  await lock.query('BEGIN; LOCK TABLE numbers');
  const settled = Promise.allSettled(['1', '2', '3'].map((number) => numbers.submit(number)));
  let isSettled = false;
  void settled.then(() => (isSettled = true));
  for (const count of [1, 2]) {
    await waitUntil(`batch ${count} is cut off`, async () => {
      await database.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      return flushes.length > count || isSettled;
    });
  }
  await lock.query('ROLLBACK');
  lock.release();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.deepEqual(flushes, [['1'], ['2', '3']]);
  assert.equal(await numbers.submit('4'), 'stored 4');
  assert.deepEqual(await readNumbers(), [4]);
});

test('a full queue refuses requests with 503, and accepts requests again when it has room', async () => {
  const numbers = createNumbers();
  const settled = await Promise.allSettled(upTo(60).map((number) => numbers.submit(number)));
  const refused = settled.filter((one) => one.status === 'rejected');
  // One request is under way, and fifty wait.
  assert.equal(refused.length, 9);
  for (const { reason } of refused) assert.equal(reason.status, 503);
  assert.equal(await numbers.submit('61'), 'stored 61');
  assert.equal((await readNumbers()).length, 52);
});

test('a closing batcher refuses new requests, and closes after answering accepted ones', async () => {
  const numbers = createNumbers();
  const answers: string[] = [];
  for (const number of upTo(30)) void numbers.submit(number).then((said) => answers.push(said));
  const closed = numbers.close();
  await assert.rejects(numbers.submit('31'), { status: 503 });
  await closed;
  assert.equal(answers.length, 30);
  assert.equal((await readNumbers()).length, 30);
});
