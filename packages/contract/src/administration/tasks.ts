import type { Static } from 'typebox';
import { errorAnswer, onePageAnswer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Administration');

const BackgroundTask = t.Resource('BackgroundTask', {
  name: t.String('Name of the task, in words; `work` in the metrics.'),
  interval_seconds: t.Number('The time from the start of a run to the start of the next one.'),
  runs_on: t.Enum(
    ['one_server', 'every_server'],
    'Whether one of all servers runs the task in each interval, or every server does. In the latter case, the state is that of the server that ran it last.',
  ),
  is_running: t.Boolean('Whether a server runs the task now. False for tasks of every server.'),
  last_started_at: t.Nullable(t.Timestamp('When the last run began; null: none began yet.')),
  last_run_ms: t.Nullable(
    t.Integer('Duration of the last run that ended, in milliseconds; null: none ended yet.'),
  ),
  next_run_at: t.Nullable(t.Timestamp('When the next run is due; null for tasks of every server.')),
  failures: t.Integer('Failed runs since the last run that succeeded.'),
  last_failed_at: t.Nullable(t.Timestamp('When a run last failed; null: none failed yet.')),
  last_error: t.Nullable(t.String('The problem of the last failed run, cut to 500 characters.')),
});
export type BackgroundTask = Static<typeof BackgroundTask>;

export const listBackgroundTasks = operation('GET /v1/admin/tasks', {
  access: 'administrator',
  summary: 'List the tasks in the background',
  description:
    'The work for which no request waits, such as the deletion of old records, with its last run. The states of tasks that every server runs are up to 10 seconds old.',
  answers: {
    200: onePageAnswer('All tasks.', 'tasks', BackgroundTask, {
      name: 'forgetting old invitations',
      interval_seconds: 600,
      runs_on: 'one_server',
      is_running: false,
      last_started_at: '2026-03-14T15:09:26.535Z',
      last_run_ms: 12,
      next_run_at: '2026-03-14T15:19:26.535Z',
      failures: 0,
      last_failed_at: null,
      last_error: null,
    }),
  },
});

export const runBackgroundTask = operation('POST /v1/admin/tasks/{task_name}/run', {
  access: 'administrator',
  summary: 'Run a task in the background now',
  description:
    'Makes the task due. A server begins it within 10 seconds, usually at once. After a failure, this also is the way to try again without the wait.',
  answers: {
    204: { description: 'The task is due.' },
    404: errorAnswer('There is no such task.', 'Task not found'),
    409: errorAnswer(
      'The task runs already, or it is a task that every server runs all the time.',
      'The task is running already',
    ),
  },
});
