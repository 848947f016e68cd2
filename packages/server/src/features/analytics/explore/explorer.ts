import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { EXPLORE_TIMEOUT_S } from '@overworld/contract/event-conditions';
import type { ConnectionSettings } from '../../../platform/database/database.ts';
import { unavailable } from '../../../platform/errors.ts';
import { unpackFailure } from './failures.ts';
import type { JobMessage, Progress, Reports, Streams, ThreadOptions } from './jobs.ts';
import { createLoadMeter } from './server-load.ts';

/** Reads events themselves, in a thread of low priority with a pool of its own. */
export interface Explorer {
  /**
   * @param signal Stops the work, in PostgreSQL too.
   * @param timeout_s That it may take, its wait for others included.
   * @throws ApiError 503 when it takes longer, or too many wait.
   */
  report<K extends keyof Reports>(
    kind: K,
    input: Reports[K]['input'],
    signal: AbortSignal,
    timeout_s?: number,
  ): Promise<Reports[K]['result']>;
  /**
   * Bytes that are made as fast as they are taken; destroying the stream stops the work. Resolves
   * when there are first ones.
   * @throws ApiError 503 when too many streams are being made.
   */
  stream<K extends keyof Streams>(
    kind: K,
    input: Streams[K],
    signal: AbortSignal,
  ): Promise<Readable>;
  close(): Promise<void>;
}

/** A report uses two connections and a core or two; more at once would only take longer each. */
const MAX_REPORTS = availableParallelism() > 2 ? 2 : 1;
const MAX_WAITING_REPORTS = 20;
const MAX_STREAMS = 2;

/** The thread is started when it is first needed: it takes 30 MB and a fifth of a second. */
export function createExplorer(connection: ConnectionSettings): Explorer {
  const meter = createLoadMeter();
  const options: ThreadOptions = {
    connection,
    is_embedded: !('url' in connection),
    load: meter.load,
  };
  let thread: Worker | undefined;
  let running_reports = 0;
  let running_streams = 0;
  let running_jobs = 0;
  const waiting: (() => void)[] = [];

  const getThread = () => {
    if (thread !== undefined) return thread;
    const started = new Worker(new URL('./thread.ts', import.meta.url), { workerData: options });
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (thread === started) thread = undefined;
    });
    started.unref();
    return (thread = started);
  };

  /** Starts a job; its port closes when either side has closed it, or the thread has ended. */
  const start = (message: JobMessage): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    if (running_jobs++ === 0) meter.start();
    port1.once('close', () => {
      if (--running_jobs === 0) meter.stop();
    });
    getThread().postMessage({ ...message, port: port2 }, [port2]);
    return port1;
  };

  const startReport = async (signal: AbortSignal) => {
    if (running_reports < MAX_REPORTS) {
      running_reports++;
      return;
    }
    if (waiting.length >= MAX_WAITING_REPORTS) {
      throw unavailable('Too many reports are being made, try again in a few seconds');
    }
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      waiting.splice(waiting.indexOf(turn.resolve), 1);
      turn.reject(unavailable('The report was stopped, try again'));
    };
    waiting.push(turn.resolve);
    signal.addEventListener('abort', leave);
    await turn.promise.finally(() => signal.removeEventListener('abort', leave));
  };
  const endReport = () => {
    const next = waiting.shift();
    if (next) next();
    else running_reports--;
  };

  const makeReport = async <K extends keyof Reports>(
    kind: K,
    input: Reports[K]['input'],
    signal: AbortSignal,
  ): Promise<Reports[K]['result']> => {
    if (signal.aborted) throw unavailable('The report was stopped, try again');
    const port = start({ kind, input });
    const stop = () => port.close();
    signal.addEventListener('abort', stop);
    try {
      return (await receive(port, 'result')).result as never;
    } finally {
      signal.removeEventListener('abort', stop);
      port.close();
    }
  };

  return {
    async report(kind, input, signal, timeout_s = EXPLORE_TIMEOUT_S) {
      const too_late = AbortSignal.timeout(timeout_s * 1_000);
      const stopped = AbortSignal.any([signal, too_late]);
      let late_error = `Other reports kept this one waiting for ${timeout_s} seconds: try again in a minute`;
      try {
        await startReport(stopped);
        late_error = `The report was not ready after ${timeout_s} seconds, its wait for other reports included: narrow it to fewer days or rarer events`;
        return await makeReport(kind, input, stopped).finally(endReport);
      } catch (error) {
        throw too_late.aborted ? unavailable(late_error) : error;
      }
    },

    async stream(kind, input, signal) {
      if (running_streams >= MAX_STREAMS) {
        throw unavailable('Other exports are running, try again when they have ended');
      }
      running_streams++;
      const port = start({ kind, input });
      port.once('close', () => running_streams--);
      const stop = () => port.close();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const bytes = readChunks(port);
        // What is wrong at once is an answer, and not a file that breaks off.
        const first = await bytes.next();
        const readable = Readable.from(
          (async function* () {
            if (!first.done) yield first.value;
            yield* bytes;
          })(),
          { objectMode: false, highWaterMark: 1 },
        );
        // Also when it is destroyed before its first byte is read.
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
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      ending.postMessage('close');
      await exit;
    },
  };
}

/** The parts of a stream; each is asked for when it is taken. */
async function* readChunks(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (;;) {
    port.postMessage('next');
    const progress = await receive(port, 'chunk', 'end');
    if (progress.type === 'end') return;
    yield progress.bytes;
  }
}

/** The next thing that the thread says of a job. @throws what made it fail. */
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
