import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import pino from 'pino';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { createNotifications } from '../database/notifications.ts';
import { sql } from '../database/sql.ts';
import { createBackground, RunStopped } from './background.ts';
import { claimTasks, finishRun, listTaskStates, makeTaskDue } from './task-store.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (let part = opened.pop(); part; part = opened.pop()) await part.close();
});

/** Starts a server's runner of tasks, with one shared task. */
async function startRunner(name: string, work: () => Promise<unknown>, interval_ms = 600_000) {
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: server.database_url }, settings);
  const notifications = createNotifications(database, () => undefined);
  const logger = pino({ level: 'silent' });
  const failed: string[] = [];
  const background = createBackground({
    database,
    notifications,
    logger,
    onFailure: (task) => failed.push(task),
    is_first: true,
  });
  background.onOneServer(interval_ms, name, work);
  opened.push(database, notifications, background);
  await notifications.start();
  await waitUntil('the task is stored', async () => (await readState(name)) !== undefined);
  return { background, failed };
}

const readState = async (name: string) => (await listTaskStates(server.database, [name]))[0];

const makeDue = (name: string) => server.database.transaction((tx) => makeTaskDue(tx, name));

/** Reads the seconds until the next run. */
async function readWait(name: string): Promise<number> {
  const row = await server.database.queryOne<{ seconds: number }>(sql`
    SELECT extract(epoch FROM next_run_at - now())::float8 AS seconds
    FROM background_tasks WHERE name = ${name}`);
  return row!.seconds;
}

/** Reads the seconds until the lease ends. */
async function readLease(name: string): Promise<number> {
  const row = await server.database.queryOne<{ seconds: number }>(sql`
    SELECT extract(epoch FROM leased_until - now())::float8 AS seconds
    FROM background_tasks WHERE name = ${name}`);
  return row!.seconds;
}

test('a new task waits for its interval, and one of two servers runs it when it is due', async () => {
  const name = randomUUID();
  const runs: number[] = [];
  const begin = Promise.withResolvers<void>();
  for (const number of [1, 2]) {
    await startRunner(name, async () => {
      runs.push(number);
      await begin.promise;
    });
  }
  assert.ok((await readWait(name)) > 590);
  assert.deepEqual(runs, []);
  await makeDue(name);
  await waitUntil('the task runs', async () => runs.length > 0);
  assert.equal((await readState(name))!.is_running, true);
  assert.equal(await makeDue(name), false, 'a running task cannot be made due');
  begin.resolve();
  await waitUntil('the run is over', async () => !(await readState(name))!.is_running);
  assert.equal(runs.length, 1);
  const { last_error, failures, last_run_ms, late_seconds } = (await readState(name))!;
  assert.deepEqual([last_error, failures, late_seconds], [null, 0, 0]);
  assert.ok(last_run_ms! >= 0);
  assert.ok((await readWait(name)) > 590);
});

test('a stopping server keeps the task that it still runs, so that no other server begins it', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const name = randomUUID();
  const end = Promise.withResolvers<void>();
  const { background } = await startRunner(name, () => end.promise);
  opened.push({ close: async () => end.resolve() });
  await makeDue(name);
  await waitUntil('the task runs', async () => (await readState(name))!.is_running);
  const closing = background.close();
  await server.database.execute(sql`
    UPDATE background_tasks SET leased_until = now() + interval '20 seconds' WHERE name = ${name}`);
  context.mock.timers.tick(10_000);
  await waitUntil('the lease is renewed', async () => (await readLease(name)) > 50);
  end.resolve();
  await closing;
  assert.equal((await readState(name))!.is_running, false);
  context.mock.timers.tick(60_000);
  assert.equal((await readState(name))!.is_running, false);
});

test('a run that does not end counts as late from the time at which it was due', async () => {
  const name = randomUUID();
  const end = Promise.withResolvers<void>();
  await startRunner(name, () => end.promise);
  opened.push({ close: async () => end.resolve() });
  await makeDue(name);
  await waitUntil('the task runs', async () => (await readState(name))!.is_running);
  await server.database.execute(sql`
    UPDATE background_tasks SET next_run_at = now() - interval '1 hour' WHERE name = ${name}`);
  assert.ok((await readState(name))!.late_seconds >= 3_600);
  end.resolve();
  await waitUntil('the run is over', async () => !(await readState(name))!.is_running);
  assert.equal((await readState(name))!.late_seconds, 0);
});

test('a failed run is repeated after a minute, then after two, and the error stays on record', async () => {
  const name = randomUUID();
  let fails = true;
  const { failed } = await startRunner(name, async () => {
    if (fails) throw new Error('The disk \0 is full \ud800');
  });
  for (const [failures, seconds] of [
    [1, 60],
    [2, 120],
  ] as const) {
    await makeDue(name);
    await waitUntil('it failed', async () => (await readState(name))!.failures === failures);
    const wait = await readWait(name);
    assert.ok(wait > seconds - 10 && wait <= seconds, String(wait));
  }
  assert.deepEqual(failed, [name, name]);
  fails = false;
  await makeDue(name);
  await waitUntil('it succeeds', async () => (await readState(name))!.failures === 0);
  assert.equal((await readState(name))!.last_error, 'The disk  is full \ufffd');
  assert.ok((await readWait(name)) > 590);
});

test('a task of a server that ended without a word is free when its lease ends, and its late end changes nothing', async () => {
  const { database } = server;
  const [name, dead, next] = [randomUUID(), randomUUID(), randomUUID()];
  const task = { name, interval_ms: 600_000 };
  await makeDue(name);
  assert.deepEqual(await claimTasks(database, dead, [task]), [name]);
  assert.deepEqual(await claimTasks(database, next, [task]), []);
  await database.execute(sql`
    UPDATE background_tasks SET leased_until = now() WHERE name = ${name}`);
  assert.deepEqual(await claimTasks(database, next, [task]), [name]);
  await finishRun(database, dead, task, 'late');
  assert.equal((await readState(name))!.is_running, true);
  await finishRun(database, next, task, null);
  const { is_running, last_error } = (await readState(name))!;
  assert.deepEqual([is_running, last_error], [false, null]);
});

test('after the clock was set back, or the interval was shortened, a task runs at once', async () => {
  const name = randomUUID();
  let runs = 0;
  const { background } = await startRunner(name, async () => void runs++);
  await server.database.execute(sql`
    UPDATE background_tasks
    SET next_run_at = now() + interval '1 year', leased_until = now() + interval '1 year'
    WHERE name = ${name}`);
  await server.database.execute(sql`SELECT pg_notify('overworld_tasks', '')`);
  await waitUntil('the task runs', async () => runs === 1);
  await waitUntil('the run is over', async () => !(await readState(name))!.is_running);
  assert.ok((await readWait(name)) > 590);

  const early = randomUUID();
  background.onOneServer(600_000, early, async () => void runs++, { is_due_at_first: true });
  await server.database.execute(sql`SELECT pg_notify('overworld_tasks', '')`);
  await waitUntil('a task runs whose first run does not wait', async () => runs === 2);
});

test('every server runs its own tasks, and their last run and failure are on record', async () => {
  const name = randomUUID();
  const shared = randomUUID();
  const { background } = await startRunner(shared, async () => undefined);
  let runs = 0;
  background.every(50, name, async () => {
    if (runs++ === 0) throw new Error('once');
  });
  await waitUntil('it ran twice', async () => runs >= 2);
  await makeDue(shared);
  await waitUntil('the runs are recorded', async () => (await readState(name)) !== undefined);
  const { next_run_at, last_error, failures } = (await readState(name))!;
  assert.deepEqual([next_run_at, last_error, failures], [null, 'once', 0]);
});

test('a run that a stop cut off did not fail, and its task is due again', async () => {
  const name = randomUUID();
  let runs = 0;
  const { failed } = await startRunner(name, async () => {
    if (++runs === 1) throw new RunStopped('The server stops');
  });
  await makeDue(name);
  await waitUntil('it was stopped', async () => runs === 1 && !(await readState(name))!.is_running);
  const { failures, last_error } = (await readState(name))!;
  assert.deepEqual([failures, last_error, failed], [0, null, []]);
  await server.database.execute(sql`SELECT pg_notify('overworld_tasks', '')`);
  await waitUntil('it runs again', async () => runs === 2);
});
