import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { CliProcess } from '../../../test/run-cli.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../database/sql.ts';
import { listTaskStates, makeTaskDue } from './task-store.ts';

const TASK = 'forgetting old invitations';

test('if a server is killed in the middle of a task, another server runs the task when the lease ends', async (t) => {
  const cloned = await cloneDatabase();
  t.after(() => cloned.drop());
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: cloned.url }, settings);
  t.after(() => database.close());
  const folder = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const readState = async () => (await listTaskStates(database, [TASK]))[0];
  const readRunner = async () => {
    const row = await database.queryOne<{ runner: string }>(sql`
      SELECT runner FROM background_tasks WHERE name = ${TASK}`);
    return row!.runner;
  };

  const victim = new CliProcess(['start'], {
    DATABASE_URL: cloned.url,
    PORT: '0',
    WORKERS: '1',
    DATA_DIR: folder,
  });
  t.after(() => void victim.child.kill('SIGKILL'));
  await victim.waitFor(/is running at/);
  await waitUntil('the task is stored', async () => (await readState()) !== undefined);
  await database.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE invitations`);
    await database.transaction((change) => makeTaskDue(change, TASK));
    await waitForLock(database);
    victim.child.kill('SIGKILL');
    await victim.done;
  });
  assert.equal((await readState())!.is_running, true);
  const runner = await readRunner();

  await using second = await startTestServer({ database_url: cloned.url });
  const readLook = async () => (await listTaskStates(database, ['erasing deleted games']))[0];
  await waitUntil('the second server has looked for tasks', async () => {
    const looked = await readLook();
    return looked !== undefined && looked.last_started_at! > (await readState())!.last_started_at!;
  });
  assert.equal(await readRunner(), runner, 'the killed server has its lease');
  await second.database.execute(sql`
    UPDATE background_tasks SET leased_until = now() WHERE name = ${TASK}`);
  await waitUntil('the task ends', async () => (await readState())!.last_run_ms !== null);
  assert.notEqual(await readRunner(), runner);
  const { is_running, failures } = (await readState())!;
  assert.deepEqual([is_running, failures], [false, 0]);
});
