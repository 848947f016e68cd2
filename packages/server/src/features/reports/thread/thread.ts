import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { lowerPriority } from '../../../platform/low-priority.ts';
import { makeBreakdown } from '../breakdown/breakdown.ts';
import { exportEvents } from '../files/event-export.ts';
import { openExplorePool } from './explore-database.ts';
import type { ExploreDatabase } from './explore-database.ts';
import { createWorkProgress } from './work-progress.ts';
import { packFailure } from '../../../platform/workers/failures.ts';
import { makeExperiment } from '../experiment/experiment.ts';
import { makeFunnel } from '../funnel/funnel.ts';
import type { ThreadOptions } from './explore-database.ts';
import type { Job, Progress, Reports, Streams } from './jobs.ts';
import { makePaths } from '../paths/paths.ts';
import { makeRevenue } from '../revenue/revenue.ts';
import { findSegment, writeSegment, writeSegmentIds } from '../segment/segment.ts';
import { sliceEvents } from '../events/count-events.ts';
import { sliceActiveDays, sliceRetention } from '../active-players/count-active-players.ts';
import { sliceSessions } from '../sessions/count-sessions.ts';

/**
 * The thread that makes reports and files from events. To count or write millions of
 * events takes seconds of CPU time, which the thread that answers games must not spend.
 */

type ReportMaker<K extends keyof Reports> = (
  database: ExploreDatabase,
  input: Reports[K]['input'],
  signal: AbortSignal,
) => Promise<Reports[K]['result']>;
type StreamMaker<K extends keyof Streams> = (
  database: ExploreDatabase,
  input: Streams[K],
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>;

const REPORTS: { [K in keyof Reports]: ReportMaker<K> } = {
  funnel: makeFunnel,
  breakdown: makeBreakdown,
  segment: findSegment,
  slice_active_days: sliceActiveDays,
  slice_retention: sliceRetention,
  slice_sessions: sliceSessions,
  slice_events: sliceEvents,
  paths: makePaths,
  revenue: makeRevenue,
  experiment: makeExperiment,
};
const STREAMS: { [K in keyof Streams]: StreamMaker<K> } = {
  export: exportEvents,
  segment_csv: writeSegment,
  segment_ids: writeSegmentIds,
};

const pool = openExplorePool(workerData as ThreadOptions);
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
    if (kind in REPORTS) {
      const make = REPORTS[kind as 'funnel'];
      const progress = createWorkProgress((share) => say({ type: 'share', share }));
      const watched = { ...database, progress };
      say({ type: 'result', result: await make(watched, input as never, signal) });
    } else {
      const make = STREAMS[kind as 'export'];
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
