import type { BackgroundTask } from '@overworld/contract/administration/tasks';
import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Background } from '../../platform/background/background.ts';
import { listTaskStates, makeTaskDue } from '../../platform/background/task-store.ts';

import type { Database } from '../../platform/database/database.ts';
import { conflict, notFound } from '../../platform/errors.ts';

type Tasks = Background['tasks'];

/** The state of a task that did not run yet, and that no server has stored yet. */
const NEW = {
  is_running: false,
  last_started_at: null,
  last_run_ms: null,
  next_run_at: null,
  failures: 0,
  last_failed_at: null,
  last_error: null,
};

/** Lists all tasks in the background, by name. */
export async function listTasks(database: Database, tasks: Tasks): Promise<BackgroundTask[]> {
  const states = await listTaskStates(database, [...tasks.keys()]);
  const by_name = new Map(states.map(({ late_seconds: _, ...state }) => [state.name, state]));
  return [...tasks.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, interval_ms, is_shared }) => ({
      ...NEW,
      ...by_name.get(name),
      name,
      interval_seconds: interval_ms / 1_000,
      runs_on: is_shared ? 'one_server' : 'every_server',
    }));
}

/**
 * Makes a task due at once.
 * @throws ApiError 404 when there is no such task.
 * @throws ApiError 409 when the task is running, or when every server runs it.
 */
export async function runTask(
  database: Database,
  tasks: Tasks,
  actor: Actor,
  name: string,
): Promise<void> {
  const task = tasks.get(name);
  if (task === undefined) throw notFound('Task not found');
  if (!task.is_shared) throw conflict('Every server runs this task all the time');
  await database.transaction(async (tx) => {
    if (!(await makeTaskDue(tx, name))) throw conflict('The task is running already');
    await insertAuditEntry(tx, { actor, game_id: null }, 'run_background_task', name);
  });
}
