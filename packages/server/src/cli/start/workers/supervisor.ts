import module from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { BaseLogger } from 'pino';
import type { App } from '../../../app-interface.ts';
import type { Config } from '../../../platform/config.ts';
import type { ConnectionSettings } from '../../../platform/database/open-database.ts';
import type { WorkerMetrics } from '../../../platform/workers/worker-pool.ts';
import { joinWorkerPool, makePoolMemory } from '../../../platform/workers/worker-pool.ts';
import type { Order, Report, WorkerOptions } from './messages.ts';

/**
 * A worker that dies within this time after its start is replaced after a
 * delay. The delay doubles with each such death, up to `LONGEST_DELAY_MS`.
 */
const EARLY_DEATH_MS = 10_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

interface WorkersOptions {
  config: Config;
  /** A migrated database. */
  connection: ConnectionSettings;
  logger: BaseLogger;
  /** Writes lines of the workers' logs. */
  writeLog: (lines: string) => void;
}

interface Running {
  thread: Worker;
  /** Resolves when the worker has answered all its requests, or has ended. */
  finished: Promise<unknown>;
  ended: Promise<unknown>;
}

/**
 * Runs several workers as one server. Each worker is a thread with its own
 * event loop, and all workers listen on the same port. A worker that dies is
 * logged and replaced. The connections of its unanswered requests are closed.
 */
export function createWorkers({ config, connection, logger, writeLog }: WorkersOptions): App {
  const { workers, max_connections } = config;
  const memory = makePoolMemory(workers, max_connections);
  const threads = new Map<number, Running>();
  const stopping = new AbortController();
  const counts = new Map<number, WorkerMetrics>();
  const delays_ms = new Map<number, number>();
  /** If the settings name no port, the first worker chooses one. */
  let { port } = config;
  let isRunning = false;

  const order = (thread: Worker, message: Order) =>
    thread.postMessage(message, message.kind === 'connect' ? [message.port] : []);

  const connect = (worker: number, thread: Worker) => {
    for (const [other, { thread: other_thread }] of threads) {
      const { port1, port2 } = new MessageChannel();
      order(thread, { kind: 'connect', worker: other, port: port1 });
      order(other_thread, { kind: 'connect', worker, port: port2 });
    }
  };

  /** Starts a worker. Resolves to its URL when it listens. */
  const start = (worker: number): Promise<string> => {
    const workerData: WorkerOptions = {
      config: { ...config, port },
      connection,
      memory,
      worker,
      counts: counts.get(worker) ?? [],
      compile_cache: module.getCompileCacheDir(),
    };
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData });
    const started_at = performance.now();
    connect(worker, thread);
    const listening = Promise.withResolvers<string>();
    const finished = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    threads.set(worker, { thread, finished: finished.promise, ended: ended.promise });
    let cause: Error | undefined;
    thread.on('message', (report: Report) => {
      if (report.kind === 'log') writeLog(report.lines);
      if (report.kind === 'listening') listening.resolve(report.address);
      if (report.kind === 'counts') counts.set(worker, report.counts);
      if (report.kind === 'finished') finished.resolve();
      if (report.kind === 'failed') {
        cause = Object.assign(report.error, { code: report.code });
        order(thread, { kind: 'close' });
      }
    });
    thread.on('error', (error: Error) => (cause = error));
    thread.on('exit', (exit_code) => {
      threads.delete(worker);
      // The replacement starts with nothing, so everything that the dead worker held must be released.
      const { inUse, reservations } = joinWorkerPool(memory, { worker, workers });
      inUse.dropWorker(worker);
      reservations.dropWorker(worker);
      cause ??= new Error(`The thread ended with ${exit_code}`);
      listening.reject(cause);
      finished.resolve();
      ended.resolve();
      if (isRunning) void replace(worker, performance.now() - started_at, cause);
    });
    return listening.promise;
  };

  const replace = async (worker: number, lived_ms: number, cause: Error) => {
    logger.error({ err: cause, worker }, 'a worker died and is replaced');
    const last_delay_ms = delays_ms.get(worker) ?? FIRST_DELAY_MS / 2;
    const delay_ms = lived_ms < EARLY_DEATH_MS ? Math.min(2 * last_delay_ms, LONGEST_DELAY_MS) : 0;
    if (delay_ms === 0) delays_ms.delete(worker);
    else delays_ms.set(worker, delay_ms);
    await sleep(delay_ms, undefined, { signal: stopping.signal, ref: false }).catch(
      () => undefined,
    );
    if (!isRunning) return;
    await start(worker).then(
      () => logger.info({ worker }, 'the worker serves again'),
      // If the new worker dies before it listens, its `exit` event logs the death and replaces it again.
      () => undefined,
    );
  };

  const others = () => Array.from({ length: workers - 1 }, (_, index) => index + 1);

  const orderAll = (message: Order) => {
    for (const { thread } of threads.values()) order(thread, message);
  };
  const finishRequests = async () => {
    const running = [...threads.values()];
    if (!stopping.signal.aborted) orderAll({ kind: 'finish' });
    isRunning = false;
    stopping.abort();
    await Promise.all(running.map(({ finished }) => finished));
  };

  return {
    async listen() {
      const address = await start(0);
      port = Number(new URL(address).port);
      await Promise.all(others().map(start));
      isRunning = true;
      return address;
    },
    async drain(duration_ms) {
      orderAll({ kind: 'drain', duration_ms });
      await sleep(duration_ms);
    },
    finishRequests,
    async close() {
      // A request to one worker may need another worker, so all requests finish before any worker closes.
      await finishRequests();
      const running = [...threads.values()];
      orderAll({ kind: 'close' });
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}
