import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeTaskDue, TASKS_CHANNEL } from '../../../platform/background/task-store.ts';
import { sql } from '../../../platform/database/sql.ts';

/** Runs a task of a server now, and waits for the end of the run. */
export async function runTask({ database }: TestServer, name: string): Promise<void> {
  await waitUntil('the task is free', () => database.transaction((tx) => makeTaskDue(tx, name)));
  const due = await database.queryOne<{ at: string }>(sql`
    SELECT next_run_at::text AS at FROM background_tasks WHERE name = ${name}`);
  await waitUntil('the task has run', async () => {
    // A server that looks for tasks at the moment does not notice a notification.
    const state = await database.queryOne<{ has_run: boolean }>(sql`
      SELECT leased_until IS NULL AND last_started_at >= ${due!.at}::timestamptz AS has_run,
             pg_notify(${TASKS_CHANNEL}, '')
      FROM background_tasks WHERE name = ${name}`);
    return state!.has_run;
  });
}
