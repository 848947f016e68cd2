import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** The tasks of a server that ends without a word, such as a killed one, are free after this time. */
const LEASE_SECONDS = 60;
/** The wait after a failed run. It doubles with each failure in a row, up to the interval of the task. */
const RETRY_SECONDS = 60;

/** A notification on this channel makes all servers look for tasks that are due. */
export const TASKS_CHANNEL = 'overworld_tasks';

/** A task that one server at a time runs. */
export interface SharedTask {
  name: string;
  interval_ms: number;
}

/** A task that may have no row yet. */
export interface NewTask extends SharedTask {
  /** True if the first run does not wait for the interval. */
  is_due_at_first: boolean;
}

/** The last run of a task that every server runs. */
export interface LastRun {
  name: string;
  ended_ms_ago: number;
  run_ms: number;
  /** The number of failures since the last run that succeeded. */
  failures: number;
  /** The problem of the last failure that is not recorded yet; null if there is none. */
  error: string | null;
}

const leaseEnd = sql`now() + ${LEASE_SECONDS}::integer * interval '1 second'`;
/**
 * SQL that is true if a server runs the task. A lease that ends much later is of a clock that was set back.
 */
const isRunning = sql`COALESCE(
  background_tasks.leased_until > now() AND background_tasks.leased_until < now() + interval '1 hour',
  false)`;

/** Stores the tasks that are new. */
export async function registerTasks(database: Queryable, tasks: NewTask[]): Promise<void> {
  await database.execute(sql`
    INSERT INTO background_tasks (name, next_run_at)
    SELECT name, now() + CASE WHEN is_due_at_first THEN 0 ELSE interval_ms END * interval '1 millisecond'
    FROM jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb)
      AS task (name text, interval_ms bigint, is_due_at_first boolean)
    ON CONFLICT (name) DO UPDATE SET next_run_at = EXCLUDED.next_run_at
    WHERE background_tasks.next_run_at IS NULL`);
}

/**
 * Claims the tasks that are due and that no server runs. A task is also due if its next run would come later
 * than its interval allows: the interval was shortened, or the clock was set back.
 * @returns their names.
 */
export async function claimTasks(
  database: Queryable,
  runner: string,
  tasks: SharedTask[],
): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    UPDATE background_tasks SET runner = ${runner}, leased_until = ${leaseEnd}, last_started_at = now()
    WHERE name IN (
      SELECT name FROM background_tasks
      JOIN jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb)
        AS task (name text, interval_ms bigint) USING (name)
      WHERE next_run_at NOT BETWEEN now() AND now() + interval_ms * interval '1 millisecond'
        AND NOT ${isRunning}
      FOR UPDATE OF background_tasks SKIP LOCKED
    )
    RETURNING name`);
  return rows.map(({ name }) => name);
}

/** Keeps a task that a server runs from being claimed by another server. */
export async function renewClaim(database: Queryable, runner: string, name: string): Promise<void> {
  await database.execute(sql`
    UPDATE background_tasks SET leased_until = ${leaseEnd}
    WHERE name = ${name} AND runner = ${runner} AND leased_until IS NOT NULL`);
}

/**
 * Records the end of a run, unless another server has claimed the task meanwhile.
 * @param error The problem; null if the run succeeded.
 */
export async function finishRun(
  database: Queryable,
  runner: string,
  { name, interval_ms }: SharedTask,
  error: string | null,
): Promise<void> {
  await database.execute(sql`
    UPDATE background_tasks
    SET leased_until = NULL,
        last_run_ms = extract(epoch FROM now() - last_started_at) * 1000,
        next_run_at = ${
          error === null
            ? sql`last_started_at + ${interval_ms}::float8 * interval '1 millisecond'`
            : sql`now() + LEAST(${interval_ms}::float8 * interval '1 millisecond',
                ${RETRY_SECONDS}::integer * 2 ^ LEAST(failures, 20) * interval '1 second')`
        },
        failures = CASE WHEN ${error}::text IS NULL THEN 0 ELSE failures + 1 END,
        last_failed_at = CASE WHEN ${error}::text IS NULL THEN last_failed_at ELSE now() END,
        last_error = COALESCE(${error}, last_error)
    WHERE name = ${name} AND runner = ${runner} AND leased_until IS NOT NULL`);
}

/** Gives back a task whose run was stopped before its end, so that it is due as before. */
export async function releaseClaim(
  database: Queryable,
  runner: string,
  name: string,
): Promise<void> {
  await database.execute(sql`
    UPDATE background_tasks SET leased_until = NULL
    WHERE name = ${name} AND runner = ${runner} AND leased_until IS NOT NULL`);
}

/** Records the last runs of tasks that every server runs. */
export async function recordRuns(database: Queryable, runs: LastRun[]): Promise<void> {
  await database.execute(sql`
    INSERT INTO background_tasks AS known
      (name, last_started_at, last_run_ms, failures, last_failed_at, last_error)
    SELECT name, now() - (ended_ms_ago + run_ms) * interval '1 millisecond', run_ms, failures,
           CASE WHEN error IS NOT NULL THEN now() END, error
    FROM jsonb_to_recordset(${JSON.stringify(runs)}::jsonb)
      AS run (name text, ended_ms_ago float8, run_ms float8, failures integer, error text)
    ORDER BY name
    ON CONFLICT (name) DO UPDATE
    SET last_started_at = EXCLUDED.last_started_at, last_run_ms = EXCLUDED.last_run_ms,
        failures = EXCLUDED.failures, next_run_at = NULL, leased_until = NULL,
        last_failed_at = COALESCE(EXCLUDED.last_failed_at, known.last_failed_at),
        last_error = COALESCE(EXCLUDED.last_error, known.last_error)`);
}

/** The state of a task. The first three members are null or false if every server runs the task. */
export interface TaskState {
  name: string;
  next_run_at: string | null;
  is_running: boolean;
  /** The time since the run was due that no server has begun, or that has not ended. */
  late_seconds: number;
  last_started_at: string | null;
  last_run_ms: number | null;
  failures: number;
  last_failed_at: string | null;
  last_error: string | null;
}

/** Lists the states of tasks. Tasks that no server has registered or run yet are left out. */
export const listTaskStates = (database: Queryable, names: string[]): Promise<TaskState[]> =>
  database.query<TaskState>(sql`
    SELECT name, next_run_at, ${isRunning} AS is_running,
           GREATEST(0, extract(epoch FROM now() - next_run_at))::float8 AS late_seconds,
           last_started_at, last_run_ms, failures, last_failed_at, last_error
    FROM background_tasks WHERE name = ANY(${names}::text[])`);

/**
 * Makes a task due at once, and tells all servers after the commit.
 * @returns false while a server runs the task.
 */
export async function makeTaskDue(tx: Queryable, name: string): Promise<boolean> {
  const changed = await tx.execute(sql`
    INSERT INTO background_tasks (name, next_run_at) VALUES (${name}, now())
    ON CONFLICT (name) DO UPDATE SET next_run_at = now() WHERE NOT ${isRunning}
    RETURNING pg_notify(${TASKS_CHANNEL}, '')`);
  return changed > 0;
}
