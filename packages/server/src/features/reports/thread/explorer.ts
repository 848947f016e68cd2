import { once } from 'node:events';
import { Readable } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { EXPLORE_TIMEOUT_S } from '@overworld/contract/analytics/event-conditions';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import { TookTooLong, unavailable } from '../../../platform/errors.ts';
import { createFairQueue } from '../../../platform/queue/fair-queue.ts';
import type { FairQueueOptions, OwnerPath } from '../../../platform/queue/fair-queue.ts';
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts';
import { shareQueue } from '../../../platform/workers/shared-queue.ts';
import { unpackFailure } from '../../../platform/workers/failures.ts';
import type { UnreadableDay } from '../sealed/unreadable.ts';
import { FILES, PARTS, REPORTS } from './queues.ts';
import type { ThreadOptions } from './explore-database.ts';
import type { Job, Progress } from './jobs.ts';
import type { MadeReport, MadeStream, ReportInput, ReportNumbers, StreamInput } from './makers.ts';
import { createLoadMeter } from './server-load.ts';

/** The caller of a report or an export. */
export interface Asker {
  /** The network, the account and the game of the caller. Owners on each of these levels take turns. */
  owner: OwnerPath;
  /** Stops the work, in PostgreSQL too. */
  signal: AbortSignal;
  /** Called with 0 when the work begins, and then with the share of the work that is done. */
  onShare?: ((share: number) => void) | undefined;
}

/**
 * The header Retry-After of refusals. A new try takes as long as the first one, unless its report is narrower
 * or other reports have ended.
 */
const RETRY_AFTER_S = 30;

/**
 * Makes the explorer, which reads events in a thread of its own. The thread needs 30 MB of memory and takes a
 * fifth of a second to start, so it starts only with the first report.
 */
export function createExplorer(
  connection: ConnectionSettings,
  {
    workerPool,
    group_count,
    onUnreadable = () => undefined,
    ...queues
  }: {
    workerPool: WorkerPool;
    /** Is called for a sealed day with bytes that are not what was written. */
    onUnreadable?: (day: UnreadableDay) => void;
    /** The number of groups of games. */
    group_count: number;
    reports?: Partial<FairQueueOptions>;
    files?: Partial<FairQueueOptions>;
  },
) {
  const openQueue = (own: FairQueueOptions) =>
    shareQueue(workerPool, own.name, createFairQueue(own));
  const reports = openQueue({ ...REPORTS, ...queues.reports });
  const files = openQueue({ ...FILES, ...queues.files });
  const parts = openQueue(PARTS);
  const meter = createLoadMeter(workerPool);
  const options: ThreadOptions = { connection, group_count, load: meter.load };
  let thread: Worker | undefined;
  let running_jobs = 0;

  const getThread = () => {
    if (thread !== undefined) return thread;
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options });
    started.on('message', onUnreadable);
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (thread === started) thread = undefined;
    });
    started.unref();
    return (thread = started);
  };

  const startHere = async (job: Job) => getThread().postMessage(job, [job.port]);
  workerPool.peers.serve('explore', startHere);
  const startThere = (job: Job) =>
    workerPool.is_first ? startHere(job) : workerPool.peers.tell(0, 'explore', job, [job.port]);

  /** Starts a job. Its port closes when either side closes it, or when the thread ends. */
  const start = (job: Omit<Job, 'port'>): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    if (running_jobs++ === 0) meter.start();
    port1.once('close', () => {
      if (--running_jobs === 0) meter.stop();
    });
    startThere({ ...job, port: port2 });
    return port1;
  };

  const makeReport = async <K extends MadeReport>(
    kind: K,
    input: ReportInput<K>,
    signal: AbortSignal,
    onShare?: (share: number) => void,
  ): Promise<ReportNumbers<K>> => {
    if (signal.aborted) throw unavailable('The report was stopped, try again');
    const port = start({ kind, input });
    const stop = () => port.close();
    signal.addEventListener('abort', stop);
    onShare?.(0);
    try {
      for (;;) {
        const progress = await receive(port, 'share', 'result');
        if (progress.type === 'result') return progress.result as never;
        onShare?.(progress.share);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      port.close();
    }
  };

  return {
    /**
     * @param timeout_s The longest time that the report may take, including the time that it waits for other
     * reports.
     * @throws ApiError 503 when the report takes longer, its turn does not come, or too many reports of the
     * owner wait.
     */
    async report<K extends MadeReport>(
      kind: K,
      input: ReportInput<K>,
      { owner, signal, onShare }: Asker,
      timeout_s: number = EXPLORE_TIMEOUT_S,
    ): Promise<ReportNumbers<K>> {
      const too_late = AbortSignal.timeout(timeout_s * 1_000);
      const stopped = AbortSignal.any([signal, too_late]);
      try {
        return await reports.run(owner, () => makeReport(kind, input, stopped, onShare), stopped);
      } catch (error) {
        if (!too_late.aborted) throw error;
        throw unavailable(
          `The report was not ready after ${timeout_s} seconds, its wait for other reports included: narrow it to fewer days or rarer events`,
          new TookTooLong(),
          RETRY_AFTER_S,
        );
      }
    },

    /**
     * Opens a stream whose bytes are made as fast as they are read. Destroying the
     * stream stops the work. The promise resolves when the first bytes are ready.
     * @throws ApiError 503 while too many streams of the owner, or of all owners, are open.
     */
    async stream<K extends MadeStream>(
      kind: K,
      input: StreamInput<K>,
      { owner, signal }: Asker,
    ): Promise<Readable> {
      const release = await files.take(owner, signal);
      const port = start({ kind, input });
      port.once('close', release);
      const stop = () => port.close();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const bytes = readChunks(port, (read) => parts.run(owner, read, signal));
        // An error before the first bytes becomes an answer, and not a broken file.
        const first = await bytes.next();
        const readable = Readable.from(
          (async function* () {
            if (!first.done) yield first.value;
            yield* bytes;
          })(),
          // A part is read only when the client has taken the previous part.
          { objectMode: false, highWaterMark: 0 },
        );
        // `close` is also emitted when the stream is destroyed before its first byte is read.
        return readable.once('close', stop);
      } catch (error) {
        port.close();
        throw error;
      }
    },

    async close() {
      const ending = thread;
      thread = undefined;
      if (ending === undefined) return;
      const exit = once(ending, 'exit');
      // The rule is about windows; a thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      ending.postMessage('close');
      await exit;
    },
  };
}

/** The reader of events, in a thread of low priority with its own pool of connections. */
export type Explorer = ReturnType<typeof createExplorer>;

/**
 * Yields the parts of a stream. A part is made only after the reader has asked for it, and when it is the
 * turn of this stream.
 */
async function* readChunks(
  port: MessagePort,
  inTurn: <T>(read: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const progress = await inTurn(() => {
      const received = receive(port, 'chunk', 'end');
      port.postMessage('next');
      return received;
    });
    if (progress.type === 'end') return;
    yield progress.bytes;
  }
}

/**
 * Waits for the next message of the thread about a job.
 * @throws the error of the job.
 */
async function receive<T extends Progress['type']>(
  port: MessagePort,
  ..._types: T[]
): Promise<Extract<Progress, { type: T }>> {
  const progress = await new Promise<Progress>((resolve, reject) => {
    const stop = () => reject(unavailable('The report was stopped, try again'));
    port.once('close', stop);
    port.once('message', (message: Progress) => {
      port.off('close', stop);
      resolve(message);
    });
  });
  if (progress.type === 'failed') throw unpackFailure(progress.failure);
  return progress as Extract<Progress, { type: T }>;
}
