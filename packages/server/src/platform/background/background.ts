import { randomUUID } from 'node:crypto';
import type { BaseLogger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';
import {
  claimTasks,
  finishRun,
  recordRuns,
  registerTasks,
  releaseClaim,
  renewClaim,
  TASKS_CHANNEL,
} from './task-store.ts';
import type { LastRun } from './task-store.ts';

/** A server looks for shared tasks at this interval, and whenever an administrator wants one to run. */
const LOOK_INTERVAL_MS = 10_000;
const MAX_ERROR_LENGTH = 500;

/** The end of a run that the stop of the server cut off. The run did not fail, and its task stays due. */
export class RunStopped extends Error {}

/** A task for which no request waits. */
export interface BackgroundTask {
  readonly name: string;
  readonly interval_ms: number;
  /** True if one server at a time runs the task, once in each interval. */
  readonly is_shared: boolean;
  /** True if the first run of a new task that one server runs does not wait for the interval. */
  readonly is_due_at_first: boolean;
  readonly work: () => Promise<unknown>;
}

/** Makes a runner of tasks for which no request waits. */
export function createBackground(options: {
  database: Database;
  notifications: Notifications;
  logger: BaseLogger;
  /** Called for each failed run, for metrics. */
  onFailure: (name: string) => void;
  /** True in the first worker of a server. Only this worker runs tasks. */
  is_first: boolean;
}) {
  const { database, notifications, logger, onFailure, is_first } = options;
  const runner = randomUUID();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const tasks = new Map<string, BackgroundTask>();
  /** The shared tasks that this server runs now. */
  const claimed = new Set<string>();
  /** The last runs of tasks that every server runs. */
  const last_runs = new Map<string, LastRun & { ended_at: number }>();
  /** The shared tasks that have a row. */
  const registered = new Set<string>();
  let is_closed = false;

  /** Runs `work` to its end. @returns the problem; null if the run succeeded. @throws RunStopped */
  const attempt = async (name: string, work: () => Promise<unknown>): Promise<string | null> => {
    try {
      await work();
      return null;
    } catch (error) {
      if (error instanceof RunStopped) throw error;
      logger.error({ err: error }, `${name} failed`);
      onFailure(name);
      return describeError(error);
    }
  };
  const keepOpen = (run: Promise<void>) => {
    running.add(run);
    void run.finally(() => running.delete(run));
  };
  const runEvery = (interval_ms: number, run: () => Promise<void>) => {
    let busy = false;
    const runOnce = () => {
      if (busy || is_closed) return;
      busy = true;
      keepOpen(run().finally(() => (busy = false)));
    };
    timers.add(setInterval(runOnce, interval_ms).unref());
    return runOnce;
  };

  const noteRun = (name: string, run_ms: number, error: string | null) => {
    const failures = error === null ? 0 : (last_runs.get(name)?.failures ?? 0) + 1;
    const unrecorded = error ?? last_runs.get(name)?.error ?? null;
    const ended_at = performance.now();
    last_runs.set(name, { name, run_ms, failures, error: unrecorded, ended_at, ended_ms_ago: 0 });
  };
  const recordLastRuns = async () => {
    const now = performance.now();
    const runs = [...last_runs.values()].map(({ ended_at, ...run }) => ({
      ...run,
      ended_ms_ago: now - ended_at,
    }));
    if (runs.length === 0) return;
    await recordRuns(database, runs);
    for (const { name, error } of runs) {
      const known = last_runs.get(name)!;
      if (known.error === error) known.error = null;
    }
  };

  const runClaimed = async (task: BackgroundTask) => {
    claimed.add(task.name);
    const renew = () => renewClaim(database, runner, task.name).catch(complain);
    // Not one of `timers`: a stopping server finishes the run, and no other server may begin it meanwhile.
    const renewing = setInterval(() => void renew(), LOOK_INTERVAL_MS);
    try {
      const error = await attempt(task.name, task.work);
      await finishRun(database, runner, task, error);
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      logger.info(`${task.name} stopped, and runs again after the next start`);
      await releaseClaim(database, runner, task.name);
    } finally {
      clearInterval(renewing);
      claimed.delete(task.name);
    }
  };
  const look = async () => {
    const shared = [...tasks.values()].filter(({ is_shared }) => is_shared);
    const unregistered = shared.filter(({ name }) => !registered.has(name));
    if (unregistered.length > 0) await registerTasks(database, unregistered);
    for (const { name } of unregistered) registered.add(name);
    const free = shared.filter(({ name }) => !claimed.has(name));
    for (const name of await claimTasks(database, runner, free)) {
      keepOpen(runClaimed(tasks.get(name)!).catch((error: unknown) => complain(error)));
    }
    await recordLastRuns();
  };
  const complain = (error: unknown) =>
    logger.warn({ err: error }, 'the state of background tasks could not be stored');

  const lookAgain = is_first
    ? runEvery(LOOK_INTERVAL_MS, () => look().catch(complain))
    : () => undefined;
  notifications.listen(TASKS_CHANNEL, {
    onNotification: lookAgain,
    onConnected: lookAgain,
    onDisconnected: () => undefined,
  });

  return {
    /** The tasks of `every` and `onOneServer`, in all workers. */
    tasks: tasks as ReadonlyMap<string, BackgroundTask>,
    /**
     * Runs `work` at this interval, never twice at the same time, on every server, in its first worker. So
     * several servers run it side by side. A failed run is logged, and the next run comes as usual.
     */
    every(interval_ms: number, name: string, work: () => Promise<unknown>) {
      tasks.set(name, { name, interval_ms, is_shared: false, is_due_at_first: false, work });
      if (!is_first) return;
      runEvery(interval_ms, async () => {
        const started_at = performance.now();
        const error = await attempt(name, work);
        noteRun(name, performance.now() - started_at, error);
      });
    },
    /**
     * Runs `work` once in each interval on one of all servers, for work that is the same on each of them. A
     * run begins up to 10 s late. A failed run is repeated after a minute, then after twice the last wait, at
     * most after the interval. If the server is killed, another one repeats the run after a minute. A run that
     * throws RunStopped is repeated at once, by another server or after the next start.
     * @param interval_ms At least a minute.
     * @param options.is_due_at_first True if the first run in an installation comes at once. By default it
     * comes after the interval.
     */
    onOneServer(
      interval_ms: number,
      name: string,
      work: () => Promise<unknown>,
      { is_due_at_first = false } = {},
    ) {
      tasks.set(name, { name, interval_ms, is_shared: true, is_due_at_first, work });
    },
    /** Runs `work` at this interval in each worker, for work on the worker's own memory. */
    everyHere(interval_ms: number, name: string, work: () => Promise<unknown>) {
      runEvery(interval_ms, async () => void (await attempt(name, work)));
    },
    /** True once the server stops: a run with many steps begins no more of them. */
    get is_closed() {
      return is_closed;
    },
    /** Stops the timers and waits for the runs under way. */
    async close() {
      is_closed = true;
      timers.forEach((timer) => clearInterval(timer));
      // A look that is under way may begin one more run.
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;

/** Describes an error in text that PostgreSQL can store. */
const describeError = (error: unknown): string =>
  String(error instanceof Error && error.message !== '' ? error.message : error)
    .replaceAll('\0', '')
    .slice(0, MAX_ERROR_LENGTH)
    .toWellFormed();
