import { parentPort, workerData } from 'node:worker_threads';
import { InUseCounts } from '../in-use-counts.ts';

/**
 * A thread that holds random keys, one after the other, each for a moment. While one
 * thread holds a key with the count 1, no other thread should get the count 1 for
 * that key. The thread posts the number of times that this happened nevertheless.
 */
const { memory, alone, workers, worker, keys, times } = workerData as {
  memory: SharedArrayBuffer;
  /** For each key, the number of threads that got the count 1 and still hold the key. */
  alone: Int32Array<SharedArrayBuffer>;
  workers: number;
  worker: number;
  keys: number;
  times: number;
};
const counts = new InUseCounts(memory, { seed: 1, workers, worker });
let clashes = 0;
for (let time = 0; time < times; time++) {
  const key = Math.floor(Math.random() * keys);
  if (counts.add(`key ${key}`, 1) === 1) {
    if (Atomics.add(alone, key, 1) !== 0) clashes++;
    Atomics.sub(alone, key, 1);
  }
  counts.remove(`key ${key}`, 1);
}
// The rule is about browser windows; a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(clashes);
