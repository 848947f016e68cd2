import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unpackFailure } from '../workers/failures.ts';
import { RunStopped } from './background.ts';
import type { ThreadOutcome } from './work-in-thread.ts';

/** A stop waits so long for a run to remove its remains. Otherwise the next run removes them. */
const STOP_MS = 5_000;

/**
 * Runs a task in threads of its own, one a run, because it takes CPU time that the threads that answer games
 * must not spend.
 * @param script The thread, which calls `workInThread`.
 */
export function createTaskThread<Result>(script: URL, options: unknown) {
  let running: { thread: Worker; outcome: Promise<ThreadOutcome<Result>> } | undefined;
  let is_stopped = false;

  return {
    /** Runs the task once. @throws the problem of the run, or RunStopped after `close`. */
    async run(): Promise<Result> {
      if (is_stopped) throw stopped();
      const outcome = Promise.withResolvers<ThreadOutcome<Result>>();
      const thread = new Worker(script, { workerData: options });
      thread.on('message', outcome.resolve);
      thread.on('error', outcome.reject);
      thread.on('exit', () => outcome.reject(is_stopped ? stopped() : new Error('It ended early')));
      running = { thread, outcome: outcome.promise };
      try {
        const ended = await outcome.promise;
        if (ended.type === 'failed') throw is_stopped ? stopped() : unpackFailure(ended.failure);
        return ended.result;
      } finally {
        running = undefined;
        await thread.terminate();
      }
    },
    /** Stops the run that is under way. */
    async close() {
      is_stopped = true;
      if (running === undefined) return;
      const { thread, outcome } = running;
      // The rule is about windows; a thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      thread.postMessage('stop');
      const ended = outcome.catch(() => undefined);
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
      await thread.terminate();
    },
  };
}

const stopped = () => new RunStopped('The server stopped before the run was complete.');
