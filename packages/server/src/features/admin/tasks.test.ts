import assert from 'node:assert/strict';
import type { BackgroundTask } from '@overworld/contract/administration/tasks';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAccount } from '../../../test/test-account.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer();
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const TASK = 'forgetting old invitations';

async function readTask(name: string): Promise<BackgroundTask> {
  const { token } = administrator;
  const { status, body } = await server.request('GET', '/v1/admin/tasks', { token });
  assert.equal(status, 200);
  return (body.tasks as BackgroundTask[]).find((task) => task.name === name)!;
}

const run = (name: string) =>
  server.request('POST', `/v1/admin/tasks/${encodeURIComponent(name)}/run`, {
    token: administrator.token,
  });

test('an administrator sees the tasks of the servers, and runs one now; the audit log says so', async () => {
  const before_run = await readTask(TASK);
  assert.deepEqual(
    [before_run.interval_seconds, before_run.runs_on, before_run.last_started_at],
    [600, 'one_server', null],
  );
  assert.equal((await readTask('checking alerts')).runs_on, 'every_server');
  assert.equal((await run(TASK)).status, 204);
  await waitUntil('it has run', async () => (await readTask(TASK)).last_run_ms !== null);
  const { is_running, failures, last_error, next_run_at } = await readTask(TASK);
  assert.deepEqual([is_running, failures, last_error], [false, 0, null]);
  assert.ok(Date.parse(next_run_at!) > Date.now() + 500_000);
  const entries = await server.database.query(sql`
    SELECT account_email, target FROM audit_log WHERE action = 'run_background_task'`);
  assert.deepEqual(entries, [{ account_email: administrator.email, target: TASK }]);
  const { text } = await server.request('GET', '/metrics');
  assert.match(text, new RegExp(`^overworld_background_late_seconds\\{work="${TASK}"\\} 0$`, 'm'));
  assert.match(
    text,
    new RegExp(`^overworld_background_run_seconds\\{work="${TASK}"\\} \\S+$`, 'm'),
  );
});

test('a task that is unknown, that runs, or that every server runs cannot be run now', async () => {
  assert.equal((await run('constructor')).status, 404);
  assert.equal((await run('checking alerts')).status, 409);
  await server.database.execute(sql`
    UPDATE background_tasks SET leased_until = now() + interval '1 minute' WHERE name = ${TASK}`);
  const refused = await run(TASK);
  assert.deepEqual([refused.status, refused.body.error], [409, 'The task is running already']);
  assert.equal((await readTask(TASK)).is_running, true);
});

test('the last failure of a task is shown until a run succeeds', async () => {
  const name = 'forgetting old logins and links';
  await server.database.execute(sql`ALTER TABLE login_failures RENAME TO away`);
  await run(name);
  await waitUntil('it failed', async () => (await readTask(name)).failures === 1);
  assert.match((await readTask(name)).last_error!, /login_failures/);
  await server.database.execute(sql`ALTER TABLE away RENAME TO login_failures`);
  assert.equal((await run(name)).status, 204);
  await waitUntil('it succeeds', async () => (await readTask(name)).failures === 0);
});
