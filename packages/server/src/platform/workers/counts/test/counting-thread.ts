import { parentPort, workerData } from 'node:worker_threads';
import { WindowCounts } from '../window-counts.ts';

/** A thread that counts each key `times` times, and posts the counts that it got for each key. */
const { memory, keys, times } = workerData as {
  memory: SharedArrayBuffer;
  keys: string[];
  times: number;
};
const counts = new WindowCounts(memory, 1);
const got: Record<string, number[]> = {};
for (const key of keys) got[key] = [];
for (let time = 0; time < times; time++) {
  for (const key of keys) got[key]!.push(counts.add(key, 1, 60_000).count);
}
// The rule is about browser windows; a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(got);
