import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { lowerPriority } from '../../../platform/low-priority.ts';
import { packFailure } from '../../../platform/workers/failures.ts';
import { openExplorePool } from './explore-database.ts';
import type { ThreadOptions } from './explore-database.ts';
import type { Job, Progress } from './jobs.ts';
import { REPORT_MAKERS, STREAM_MAKERS } from './makers.ts';
import { createWorkProgress } from './work-progress.ts';

/**
 * The thread that makes reports and files from events. To count or write millions of
 * events takes seconds of CPU time, which the thread that answers games must not spend.
 */

const pool = openExplorePool(workerData as ThreadOptions, (day) => {
  // The rule is about windows; a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort!.postMessage(day);
});
const running = new Set<Promise<void>>();
lowerPriority(0);

parentPort!.on('message', async (message: 'close' | Job) => {
  if (message === 'close') {
    closing.abort();
    await Promise.all(running);
    await pool.close();
    process.exit(0);
  }
  const job = run(message).finally(() => running.delete(job));
  running.add(job);
});

const closing = new AbortController();

async function run({ kind, input, port }: Job): Promise<void> {
  const left = new AbortController();
  port.once('close', () => left.abort());
  const signal = AbortSignal.any([left.signal, closing.signal]);
  const say = (progress: Progress) => port.postMessage(progress);
  const database = pool.ofGame(input.game_id);
  try {
    if (kind in REPORT_MAKERS) {
      const make = REPORT_MAKERS[kind as 'funnel'];
      const progress = createWorkProgress((share) => say({ type: 'share', share }));
      const watched = { ...database, progress };
      say({ type: 'result', result: await make(watched, input as never, signal) });
    } else {
      const make = STREAM_MAKERS[kind as 'export'];
      await sendChunks(make(database, input as never, signal), port, signal);
      say({ type: 'end' });
    }
  } catch (error) {
    say({ type: 'failed', failure: packFailure(error) });
  } finally {
    port.close();
  }
}

/** Sends each chunk when the other side requests it. */
async function sendChunks(
  chunks: AsyncIterable<Uint8Array>,
  port: MessagePort,
  signal: AbortSignal,
): Promise<void> {
  const asked = on(port, 'message', { signal });
  await asked.next();
  for await (const bytes of chunks) {
    port.postMessage({ type: 'chunk', bytes } satisfies Progress, [bytes.buffer as ArrayBuffer]);
    await asked.next();
  }
}
