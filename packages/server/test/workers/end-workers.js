// Loaded into every thread of a server by NODE_OPTIONS=--import. At each SIGUSR2 the next worker ends
// at once, as after an error that nothing caught. Standard error says when a worker begins.
import { writeSync } from 'node:fs';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

const STANDARD_ERROR = 2;
const channel = new BroadcastChannel('end-workers');
channel.unref();

if (isMainThread) {
  let ends = 0;
  const workers = Number(process.env.WORKERS);
  process.on('SIGUSR2', () => {
    // The lint rule is about browser windows. A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage(ends++ % workers);
  });
} else if (Number.isInteger(workerData?.worker)) {
  const { worker } = workerData;
  writeSync(STANDARD_ERROR, `worker ${worker} begins\n`);
  channel.addEventListener('message', ({ data }) => {
    if (data === worker) process.exit(1);
  });
}
