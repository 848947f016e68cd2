import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { RunStopped } from '../../platform/background/background.ts';
import { unpackFailure } from '../../platform/workers/failures.ts';
import type { BackupOutcome, BackupThreadOptions } from './backup-thread.ts';
import type { MadeBackup } from './make-backup.ts';

/** A stop waits so long for a backup to remove its remains. Otherwise the next backup removes them. */
const STOP_MS = 5_000;

/** Makes backups, each in a thread of its own and of low priority. */
export function createBackupRunner(options: BackupThreadOptions) {
  let running: { thread: Worker; outcome: Promise<BackupOutcome> } | undefined;
  let is_stopped = false;

  return {
    /** Makes a backup. @throws the problem for which there is none, or RunStopped after `close`. */
    async make(): Promise<MadeBackup> {
      if (is_stopped) throw stopped();
      const outcome = Promise.withResolvers<BackupOutcome>();
      const thread = new Worker(new URL('./backup-thread.ts', import.meta.url), {
        workerData: options,
      });
      thread.on('message', outcome.resolve);
      thread.on('error', outcome.reject);
      thread.on('exit', () => outcome.reject(is_stopped ? stopped() : new Error('It ended early')));
      running = { thread, outcome: outcome.promise };
      try {
        const result = await outcome.promise;
        if (result.type === 'failed') throw is_stopped ? stopped() : unpackFailure(result.failure);
        return result.made;
      } finally {
        running = undefined;
        await thread.terminate();
      }
    },
    /** Stops the backup that is being made. */
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

const stopped = () => new RunStopped('The server stopped before the backup was complete.');
