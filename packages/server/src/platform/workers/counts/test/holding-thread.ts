import { parentPort, workerData } from 'node:worker_threads';
import { HeldCounts } from '../held-counts.ts';

/** Holds one key after the other for a moment, and posts how often another thread held it alone too. */
const { memory, alone, workers, worker, keys, times } = workerData as {
  memory: SharedArrayBuffer;
  /** For each key, the threads that hold it alone. */
  alone: Int32Array<SharedArrayBuffer>;
  workers: number;
  worker: number;
  keys: number;
  times: number;
};
const counts = new HeldCounts(memory, { seed: 1, workers, worker });
let clashes = 0;
for (let time = 0; time < times; time++) {
  const key = Math.floor(Math.random() * keys);
  if (counts.add(`key ${key}`, 1) === 1) {
    if (Atomics.add(alone, key, 1) !== 0) clashes++;
    Atomics.sub(alone, key, 1);
  }
  counts.remove(`key ${key}`, 1);
}
// The rule is about windows; a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(clashes);
