import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from '../../../app.ts';
import type { App } from '../../../app-interface.ts';
import { joinWorkerPool } from '../../../platform/workers/worker-pool.ts';
import { makeLogger } from '../server-log.ts';
import type { Order, Report, WorkerOptions } from './messages.ts';

/** Runs in the thread of one worker: a complete server, on a port that it shares with the other workers. */

const { config, connection, memory, worker, counts } = workerData as WorkerOptions;
// The rule that is disabled here is about browser windows. A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const report = (message: Report) => parentPort!.postMessage(message);

let lines = '';
const sendLines = () => {
  if (lines !== '') report({ kind: 'log', lines });
  lines = '';
};
const logger = makeLogger(config.log_level, {
  write(line: string) {
    if (lines === '') setImmediate(sendLines);
    lines += line;
  },
}).child({ worker });

const workerPool = joinWorkerPool(memory, {
  worker,
  workers: config.workers,
  predecessor: { counts, keep: (own) => report({ kind: 'counts', counts: own }) },
});
let app: App | undefined;

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'connect':
      return workerPool.peers.connect(order.worker, order.port);
    case 'drain':
      return app?.drain(order.duration_ms);
    case 'finish':
      await app?.finishRequests();
      return report({ kind: 'finished' });
    case 'close':
      await app?.close();
      sendLines();
      process.exit(0);
  }
}

const fail = (error: unknown) =>
  report({ kind: 'failed', error: error as Error, code: (error as NodeJS.ErrnoException).code });

try {
  app = await buildApp({ config, connection, logger, workerPool });
} catch (error) {
  fail(error);
}
// Calls from other workers wait until this line, because only a complete server can answer them.
parentPort!.on('message', obey);
await app?.listen().then((address) => report({ kind: 'listening', address }), fail);
